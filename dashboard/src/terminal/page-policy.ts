/*
 * The page's policy drops styles that stand in the markup (S5): elements without its nonce, and attributes. The terminal's
 * library makes both of the page's own document, and has no option for either; set by a script the same styles are allowed.
 */

/** Style elements get the nonce: the library makes them when it opens, and when it changes its renderer. */
export function withNonce(make: () => void): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  const plain = document.createElement.bind(document);
  Object.defineProperty(document, "createElement", {
    configurable: true,
    value: (tag: string, options?: ElementCreationOptions) => {
      const element = plain(tag, options);
      if (tag === "style" && nonce !== undefined) element.nonce = nonce;
      return element;
    },
  });
  try {
    make();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}

/** The colours that a program mixes itself come as an attribute of each span; without them it would be all in one. */
export function allowMixedColours(): void {
  if (Object.hasOwn(HTMLSpanElement.prototype, "setAttribute")) return;
  HTMLSpanElement.prototype.setAttribute = function (this: HTMLSpanElement, name, value) {
    if (name === "style") this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };
}
