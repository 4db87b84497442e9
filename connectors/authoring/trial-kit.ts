/** The kit of a trial: open decisions do not throw, because only one endpoint is tried. */
export * from '../kit/index.ts'

export function undecided(): undefined {
  return undefined
}
