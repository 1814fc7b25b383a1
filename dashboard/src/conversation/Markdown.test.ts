import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TooltipProvider } from "../ui/Tooltip.tsx";
import { Markdown } from "./Markdown.tsx";
import { safeHref, unescapeText } from "./markdown-tokens.ts";

/** What a text becomes, without the frame around it. */
function html(text: string): string {
  const page = createElement(TooltipProvider, null, createElement(Markdown, { text }));
  return renderToStaticMarkup(page)
    .replace(/^<div class="prose">/, "")
    .replace(/<\/div>$/, "");
}

it("S5: HTML in an answer stays text", () => {
  expect(html("a <img src=x onerror=alert(1)> b")).toBe("<p>a &lt;img src=x onerror=alert(1)&gt; b</p>");
  expect(html("<script>alert(1)</script>")).not.toContain("<script");
  expect(html("<div onclick=x>hi</div>")).not.toMatch(/<div onclick/);
});

it("S5: only whole and harmless addresses become links", () => {
  expect(html("[x](https://a.example/b)")).toContain('<a href="https://a.example/b" target="_blank" rel="noopener');
  for (const href of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "/sessions/ses_1",
    "vbscript:x",
  ]) {
    expect(html(`[x](${href})`)).not.toContain("<a ");
    expect(safeHref(href)).toBeNull();
  }
  expect(html("[x](java&#115;cript:alert(1))")).not.toContain("<a ");
  expect(html("https://a.example")).toContain('<a href="https://a.example/"');
});

it("S5: a picture is a link, and is not fetched", () => {
  expect(html("![a cat](https://a.example/c.png)")).toMatch(/<a href="https:\/\/a\.example\/c\.png"[^>]*>a cat<\/a>/);
  expect(html("![a cat](https://a.example/c.png)")).not.toContain("<img");
});

it("reads what agents write", () => {
  expect(html("**b** *i* ~~d~~ `c<d`")).toBe("<p><strong>b</strong> <em>i</em> <del>d</del> <code>c&lt;d</code></p>");
  expect(html("3. a\n4. b")).toBe('<ol start="3"><li>a</li><li>b</li></ol>');
  expect(html("- a\n  - b")).toBe("<ul><li>a<ul><li>b</li></ul></li></ul>");
  expect(html("- [x] done\n- [ ] open")).toMatch(/checked=""[^>]*>.*done.*type="checkbox"(?![^>]*checked)[^>]*>.*open/);
  expect(html("| a | b |\n|---|--:|\n| 1 | 2 |")).toContain('<td class="text-right">2</td>');
  expect(html("# T")).toBe('<h2 class="prose-h1">T</h2>');
  expect(html("> q")).toBe("<blockquote><p>q</p></blockquote>");
  expect(html("```ts\nconst a = 1;\n```")).toContain("const a = 1;");
});

it("shows character references as what they name", () => {
  expect(unescapeText("a &lt;b&gt; &amp; &#39; &#x41; &unknown; &")).toBe("a <b> & ' A &unknown; &");
  expect(html("a &lt; b & c")).toBe("<p>a &lt; b &amp; c</p>");
});

it("shows a text that is cut anywhere, as it is while it streams", () => {
  const text =
    "# A\n\n**bold** and `code`\n\n```ts\nconst a = [1];\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. x\n2. y";
  for (let end = 0; end <= text.length; end++) expect(() => html(text.slice(0, end))).not.toThrow();
});
