import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { Pages } from "./app/routes.tsx";
import { hydrate, queryClient, readPageData } from "./data/queries.ts";
import { keepInlined } from "./session/inlined.ts";
import "./theme/theme.css";
import { Toaster } from "./ui/Toaster.tsx";
import { TooltipProvider } from "./ui/Tooltip.tsx";

const page = readPageData();
if (page !== null) {
  hydrate(page);
  keepInlined(page.session);
}

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <TooltipProvider delayDuration={400} skipDelayDuration={200}>
        <BrowserRouter>
          <Pages />
        </BrowserRouter>
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);
