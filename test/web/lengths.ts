/** Seconds, and how pages say them: where they are made and, in page.js, where they go on. */
export const lengths: readonly (readonly [number, string])[] = [
  [0, '0 seconds'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [150, '2 minutes 30 seconds'],
  [3_599, '59 minutes'],
  [3_600, '1 hour'],
  [5_000, '1 hour 23 minutes'],
  [11_000, '3 hours'],
  [47 * 3_600, '1 day 23 hours'],
  [54 * 3_600, '2 days 6 hours'],
  [80 * 3_600, '3 days'],
]
