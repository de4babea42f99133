/** Three bars in time: the mark of the program. */
export const Logo = () => (
  <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" fill="currentColor">
    <rect x="1" y="3" width="16" height="2.6" rx="1.3" />
    <rect x="4" y="7.7" width="10" height="2.6" rx="1.3" />
    <rect x="7.500" y="12.4" width="5" height="2.6" rx="1.3" />
  </svg>
);
