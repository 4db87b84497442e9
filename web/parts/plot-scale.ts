const tops = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10]

/** Top of a scale: at least the value, with a whole number at half height. */
export function roundCount(value: number): number {
  if (value <= 10) return Math.max(2, 2 * Math.ceil(value / 2))
  const power = 10 ** Math.floor(Math.log10(value))
  return tops.map((times) => Math.round(times * power)).find((top) => top >= value) ?? 10 * power
}

const spans = [
  10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 172_800, 345_600, 604_800, 1_209_600,
]

/** Seconds, rounded up to the next familiar span. */
export function roundSpan(seconds: number): number {
  return spans.find((span) => span >= seconds) ?? 2_592_000
}
