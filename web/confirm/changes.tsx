import type { JSX } from 'preact'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { differences } from '../../core/approvals/differences.ts'
import type { Place } from '../../core/approvals/differences.ts'
import { schemaAt } from '../parts/schema.ts'
import { Text } from '../parts/text.tsx'
import { Known } from '../parts/things.ts'
import type { KnownThings } from '../parts/things.ts'
import { Value } from '../parts/value.tsx'
import { trail } from './change-forms.tsx'

interface ChangesProps {
  /** The input that the agent sent; undefined: unedited. */
  readonly original: Fields | undefined
  readonly input: Fields | undefined
  readonly schema: JsonSchema | undefined
  readonly things: KnownThings
}

/** The user's edits, before and after. */
export function Changes({ original, input, schema, things }: ChangesProps): JSX.Element | null {
  if (original === undefined || input === undefined) return null
  return (
    <section class="notice" aria-labelledby="changes">
      <h2 id="changes">You changed what the agent asked for</h2>
      <Known.Provider value={things}>
        <dl class="fields changes" data-read>
          {differences(original, input).map(({ place, before, after }) => {
            const at = schemaAt(schema, place.filter((step) => typeof step === 'string').join('.'))
            return (
              <div class="field" key={place.join('.')}>
                <dt>
                  <Text value={trail(schema, place)} />
                </dt>
                <dd>
                  <div class="was">
                    <span class="hint">The agent asked for</span>
                    <Side value={before} schema={at} beside={besideOf(original, place)} />
                  </div>
                  <div>
                    <span class="hint">You changed it to</span>
                    <Side value={after} schema={at} beside={besideOf(input, place)} />
                  </div>
                </dd>
              </div>
            )
          })}
        </dl>
      </Known.Provider>
    </section>
  )
}

function Side({ value, ...props }: { value: unknown; schema: JsonSchema | undefined; beside: Fields }): JSX.Element {
  return value === undefined ? <p class="empty">left out</p> : <Value value={value} {...props} />
}

/** The object that contains the path: an amount's currency may be its sibling. */
function besideOf(input: Fields, place: Place): Fields {
  let beside = input
  let at: unknown = input
  for (const step of place) {
    if (isFields(at)) beside = at
    at = Array.isArray(at) && typeof step === 'number' ? at[step] : isFields(at) ? at[step] : undefined
  }
  return beside
}
