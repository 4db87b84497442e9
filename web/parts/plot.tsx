import type { JSX } from 'preact'

/** A count per day; `id` is the CSS class for its colour. */
export interface Series {
  readonly id: string
  readonly label: string
  readonly values: readonly number[]
}

interface PlotProps {
  readonly id: string
  readonly title: string
  readonly days: readonly Date[]
  readonly series: readonly Series[]
  /** Stacked bars, or overlapping ones with the taller ones behind. */
  readonly stacked: boolean
  /** Formats a value. */
  readonly say: (value: number) => string
  /** Top of the scale, at least this value. */
  readonly top: (value: number) => number
}

const step = 10
const height = 100

const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Daily bars with a legend and a table. Labels are HTML, so that they keep their size. */
export function DayPlot(props: PlotProps): JSX.Element {
  const { id, title, days, series, stacked, say } = props
  const sums = days.map((_, at) => {
    const values = series.map(({ values: all }) => all[at] ?? 0)
    return stacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values)
  })
  const top = props.top(Math.max(0, ...sums))
  return (
    <figure class="plot" aria-labelledby={`${id}-title`}>
      <figcaption>
        <h2 id={`${id}-title`}>{title}</h2>
      </figcaption>
      {sums.every((sum) => sum === 0) ? (
        <p class="empty">Nothing in these days.</p>
      ) : (
        <>
          <Legend series={series} />
          <div class="drawing">
            <p class="scale" aria-hidden="true">
              <span>{say(top)}</span>
              <span>{say(top / 2)}</span>
              <span>{say(0)}</span>
            </p>
            <svg
              viewBox={`0 0 ${days.length * step} ${height}`}
              preserveAspectRatio="none"
              role="img"
              aria-labelledby={`${id}-title ${id}-desc`}
            >
              <desc id={`${id}-desc`}>{describe(days, sums, say)}</desc>
              {[0, 0.5, 1].map((share) => (
                <line
                  key={share}
                  class="grid"
                  x1="0"
                  x2={days.length * step}
                  y1={share * height}
                  y2={share * height}
                  vector-effect="non-scaling-stroke"
                />
              ))}
              {days.map((day, at) => (
                <DayBars key={at} {...props} day={day} at={at} scale={height / top} />
              ))}
            </svg>
            <p class="days" aria-hidden="true">
              {[0, Math.floor((days.length - 1) / 2), days.length - 1].map((at) => (
                <span key={at}>{days[at] && dayName.format(days[at])}</span>
              ))}
            </p>
          </div>
          <Numbers days={days} series={series} say={say} caption={title} />
        </>
      )}
    </figure>
  )
}

function DayBars(props: PlotProps & { readonly day: Date; readonly at: number; readonly scale: number }): JSX.Element {
  const { day, at, series, stacked, say, scale } = props
  const drawn: JSX.Element[] = []
  let ground = height
  for (const { id, values } of series) {
    const tall = (values[at] ?? 0) * scale
    if (tall === 0) continue
    const y = ground - tall
    drawn.push(
      <rect key={id} class={`of-${id}`} x={at * step + 1} y={round(y)} width={step - 2} height={round(tall)} />,
    )
    if (stacked) ground = y
  }
  const said = series
    .filter(({ values }) => (values[at] ?? 0) > 0)
    .map(({ label, values }) => `${label} ${say(values[at] ?? 0)}`)
  return (
    <g>
      <title>{`${dayName.format(day)}: ${said.join(', ') || 'nothing'}`}</title>
      {/* Hover target: the whole column. */}
      <rect class="column" x={at * step} y="0" width={step} height={height} />
      {drawn}
    </g>
  )
}

export const round = (value: number): number => Math.round(value * 100) / 100

function Legend({ series }: { readonly series: readonly Series[] }): JSX.Element {
  return (
    <ul class="legend">
      {series.map(({ id, label }) => (
        <li key={id}>
          <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
            <rect class={`of-${id}`} width="10" height="10" rx="2" />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}

function Numbers(props: {
  readonly days: readonly Date[]
  readonly series: readonly Series[]
  readonly say: (value: number) => string
  readonly caption: string
}): JSX.Element {
  const { days, series, say, caption } = props
  const filled = days
    .map((day, at) => ({ day, at }))
    .filter(({ at }) => series.some(({ values }) => (values[at] ?? 0) > 0))
  return (
    <details>
      <summary>As numbers</summary>
      <div class="numbers" tabindex={0} role="region" aria-label={`${caption}: numbers`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              {series.map(({ id, label }) => (
                <th key={id} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {filled.toReversed().map(({ day, at }) => (
              <tr key={at}>
                <th scope="row">{dayName.format(day)}</th>
                {series.map(({ id, values }) => (
                  <td key={id}>{say(values[at] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function describe(days: readonly Date[], sums: readonly number[], say: (value: number) => string): string {
  const most = sums.indexOf(Math.max(...sums))
  const [first, busiest, last] = [days[0], days[most], days.at(-1)]
  if (first === undefined || busiest === undefined || last === undefined) return ''
  return `${dayName.format(first)} to ${dayName.format(last)}, at most ${say(sums[most] ?? 0)}, on ${dayName.format(busiest)}.`
}
