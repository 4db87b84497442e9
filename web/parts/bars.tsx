import type { JSX } from 'preact'
import { round } from './plot.tsx'

export interface Bar {
  readonly label: string
  readonly count: number
  /** Sum of all others; not scaled, because it would dwarf the single bars. */
  readonly rest?: true
}

/** Bar chart with a label and a number per bar. */
export function BarList({ bars }: { readonly bars: readonly Bar[] }): JSX.Element {
  const most = Math.max(1, ...bars.filter(({ rest }) => rest !== true).map(({ count }) => count))
  return (
    <ul class="bars">
      {bars.map(({ label, count, rest }) => (
        <li key={label}>
          <span>{label}</span>
          <span class="number">{count.toLocaleString('en-GB')}</span>
          {rest !== true && (
            <svg aria-hidden="true" width="100%" height="10">
              <rect class="of-app" width={`${round((100 * count) / most)}%`} height="10" rx="3" />
            </svg>
          )}
        </li>
      ))}
    </ul>
  )
}
