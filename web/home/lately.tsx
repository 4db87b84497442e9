import type { JSX } from 'preact'
import { DayPlot } from '../parts/plot.tsx'
import { roundCount } from '../parts/plot-scale.ts'
import { Spark } from '../parts/spark.tsx'
import { counted } from '../parts/time.tsx'
import type { LatelyDays } from './days.ts'

interface LatelyProps {
  readonly lately: LatelyDays
  readonly appNames: ReadonlyMap<string, string>
}

/** Small charts of the last days, by outcome and by app. */
export function Lately({ lately, appNames }: LatelyProps): JSX.Element | null {
  const { days, series, apps, otherApps } = lately
  if (series.length === 0) return null
  const from = days[0]?.toISOString().slice(0, 10) ?? ''
  return (
    <>
      <section class="card small">
        <DayPlot
          id="days"
          title={`Calls a day, ${days.length} days`}
          days={days}
          series={series}
          stacked
          say={(value) => value.toLocaleString('en-GB')}
          top={roundCount}
        />
      </section>
      <section class="card" aria-labelledby="by-app">
        <h2 id="by-app">By app, {days.length} days</h2>
        <ul class="sparks">
          {apps.map(({ app, calls, credits, series: own }) => (
            <li key={app}>
              <p>
                <a href={`/calls?app=${app}&from=${from}`}>{appNames.get(app) ?? app}</a>
                <span class="hint">
                  {`${counted(calls, 'call')}${own.map(notDone).join('')}, ${counted(credits, 'credit')}`}
                </span>
              </p>
              <Spark series={own} days={days.length} />
            </li>
          ))}
        </ul>
        {otherApps > 0 && <p class="hint">And {counted(otherApps, 'other app')}.</p>}
        <p>
          <a href="/usage">More about the last 30 days</a>
        </p>
      </section>
    </>
  )
}

/** Counts of unsuccessful outcomes: `, 2 failed`. */
function notDone({ id, label, values }: LatelyDays['series'][number]): string {
  if (id !== 'failed' && id !== 'unknown' && id !== 'expired') return ''
  return `, ${values.reduce((sum, value) => sum + value, 0).toLocaleString('en-GB')} ${label}`
}

export function FirstSteps(): JSX.Element {
  return (
    <section class="card" aria-labelledby="first">
      <h2 id="first">No call yet</h2>
      <p>Three steps to your first one:</p>
      <ol class="plainlist">
        <li>
          <a href="/apps">Connect an app</a>: you sign in to it yourself, once.
        </li>
        <li>
          Then <a href="/keys">make a key</a> and give it to your agent or program.
        </li>
        <li>
          Have it make a call, or <a href="/play">try an action</a> here.
        </li>
      </ol>
    </section>
  )
}
