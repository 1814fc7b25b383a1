// A file of its own, and blocking: the chosen theme must stand before the first paint, and the CSP allows no inline script.
try {
  const theme = localStorage.getItem("reprise.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be closed to us (private windows); the system's theme is right then.
}
