import type { JSX } from 'preact'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { roundCount, roundSpan } from '../parts/plot-scale.ts'
import { BarList } from '../parts/bars.tsx'
import type { Bar } from '../parts/bars.tsx'
import { DayPlot } from '../parts/plot.tsx'
import type { Series } from '../parts/plot.tsx'
import { counted } from '../parts/time.tsx'

interface UsageProps {
  readonly viewer: Viewer
  readonly days: readonly Date[]
  readonly statuses: readonly Series[]
  readonly apps: readonly Bar[]
  readonly decisions: readonly Series[]
  /** In seconds. */
  readonly waits: readonly Series[]
}

export function UsagePage({ viewer, days, statuses, apps, decisions, waits }: UsageProps): JSX.Element {
  const total = apps.reduce((sum, { count }) => sum + count, 0)
  const number = (value: number): string => value.toLocaleString('en-GB')
  return (
    <Layout title="Usage" viewer={viewer} wide>
      <h1>Usage</h1>
      <p class="lead">
        {counted(total, 'call')} in the last {days.length} days, counted by UTC days. What they cost is in the{' '}
        <a href="/credits">statement of credits</a>.
      </p>
      <div class="plots">
        <section class="card">
          <DayPlot id="calls" title="Calls a day" days={days} series={statuses} stacked say={number} top={roundCount} />
        </section>
        <section class="card" aria-labelledby="apps-title">
          <h2 id="apps-title">Calls by app</h2>
          {apps.length === 0 ? <p class="empty">Nothing in these days.</p> : <BarList bars={apps} />}
        </section>
        <section class="card">
          <DayPlot
            id="decisions"
            title="Decisions a day"
            days={days}
            series={decisions}
            stacked
            say={number}
            top={roundCount}
          />
        </section>
        <section class="card">
          <DayPlot
            id="waits"
            title="How long calls waited for you"
            days={days}
            series={waits}
            stacked={false}
            say={shortSpan}
            top={roundSpan}
          />
        </section>
      </div>
    </Layout>
  )
}

/** `40 s`, `5 min`, `2.5 h`, `3 d`: axis labels. */
function shortSpan(seconds: number): string {
  const [size, unit] =
    seconds >= 86_400 ? [86_400, 'd'] : seconds >= 3_600 ? [3_600, 'h'] : seconds >= 60 ? [60, 'min'] : [1, 's']
  const value = seconds / size
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${unit}`
}
