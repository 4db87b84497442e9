/** The same order for the same seed. Source: mulberry32 and Fisher-Yates. */
export function shuffled<T>(items: Iterable<T>, seed: number): T[] {
  let state = seed
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const moved = order[last] as T
    order[last] = order[other] as T
    order[other] = moved
  }
  return order
}
