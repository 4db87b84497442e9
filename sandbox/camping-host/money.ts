const digits: Readonly<Record<string, number>> = { ISK: 0, JPY: 0, TND: 3 }

/** How many digits of the smallest unit stand behind the point. */
export const expOf = (cur: string): number => digits[cur] ?? 2

/** `12.50 EUR`. */
export const shown = (units: number, cur: string): string => `${(units / 10 ** expOf(cur)).toFixed(expOf(cur))} ${cur}`
