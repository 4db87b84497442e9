import type { JSX } from 'preact'
import { round } from './plot.tsx'
import type { Series } from './plot.tsx'

const step = 10
const height = 24

/** Sparkline of daily bars, inside a line of text that states the same. */
export function Spark({ series, days }: { readonly series: readonly Series[]; readonly days: number }): JSX.Element {
  const sums = Array.from({ length: days }, (_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const scale = height / Math.max(1, ...sums)
  const grounds = sums.map(() => height)
  const paths = series.map(({ id, values }) => {
    const bars = values.flatMap((value, at) => {
      const tall = value * scale
      const top = (grounds[at] ?? height) - tall
      grounds[at] = top
      return value === 0 ? [] : [`M${at * step + 1} ${round(top)}h${step - 2}v${round(tall)}h${2 - step}z`]
    })
    return <path key={id} class={`of-${id}`} d={bars.join('')} />
  })
  return (
    <svg class="spark" viewBox={`0 0 ${days * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {paths}
    </svg>
  )
}
