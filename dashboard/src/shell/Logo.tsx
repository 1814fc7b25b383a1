/** The mark: play, taken up again from where it stopped. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent-solid" />
      <path d="M9.5 9v14" stroke="white" strokeWidth="2.6" strokeLinecap="round" opacity="0.55" />
      <path d="M14.5 10.6v10.8a.9.9 0 0 0 1.4.8l8-5.400a.9.9 0 0 0 0-1.500l-8-5.400a.9.9 0 0 0-1.4.7Z" fill="white" />
    </svg>
  );
}
