/**
 * Style elements carry the page's nonce, or its policy drops them (S5). The library makes some when it opens and when
 * it changes its renderer, of the page's own document, and has no option for it.
 */
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
