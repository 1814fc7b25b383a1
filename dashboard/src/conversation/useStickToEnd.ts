import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** A reader this close to the end is at the end. */
const END_SLACK_PX = 40;

/** Keeps a scroll area at its end while its content grows, unless the reader has gone elsewhere. */
export function useStickToEnd(
  scrollRef: RefObject<HTMLElement | null>,
  contentRef: RefObject<HTMLElement | null>,
): { readonly atEnd: boolean; readonly toEnd: () => void } {
  const [atEnd, setAtEnd] = useState(true);
  const stick = useRef(true);
  const lastTop = useRef(0);

  const toEnd = useCallback(() => {
    stick.current = true;
    setAtEnd(true);
    const scroller = scrollRef.current;
    if (scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }, [scrollRef]);

  useLayoutEffect(toEnd, [toEnd]);

  useEffect(() => {
    const scroller = scrollRef.current;
    const content = contentRef.current;
    if (scroller === null || content === null) return;
    const onScroll = () => {
      const distance = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      // Growth moves the end away without a scroll; only going up means that the reader left.
      const wentUp = scroller.scrollTop < lastTop.current - 1;
      lastTop.current = scroller.scrollTop;
      if (distance <= END_SLACK_PX) stick.current = true;
      else if (wentUp) stick.current = false;
      setAtEnd(stick.current);
    };
    const observer = new ResizeObserver(() => {
      if (stick.current) scroller.scrollTop = scroller.scrollHeight;
    });
    observer.observe(content);
    observer.observe(scroller);
    scroller.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", onScroll);
    };
  }, [scrollRef, contentRef]);

  return { atEnd, toEnd };
}
