import type { JSX } from 'preact'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { idsIn } from '../parts/ids.ts'
import { Text } from '../parts/text.tsx'
import { thingOf } from '../parts/things.ts'
import type { KnownThings } from '../parts/things.ts'
import type { ToldView } from '../parts/told-view.ts'

/** An id whose entity is unknown. */
export interface Riddle {
  readonly label: string | undefined
  readonly id: string
  /** The app has no such entity. */
  readonly isAbsent: boolean
}

/** At most this many are listed. */
const most = 5

/** What an approver would have to guess: unidentified ids, and ids that the app does not have. */
export function riddlesIn(
  endpoint: Endpoint | undefined,
  input: Fields | undefined,
  things: KnownThings,
  told: ToldView,
): readonly Riddle[] {
  if (told.isLookingUp) return []
  const found = idsIn(input, endpoint?.inputSchema).flatMap(({ path, label, kinds, id }): Riddle[] => {
    const problem = told.things.find((one) => one.of === path && one.id === id)?.problem
    const isAbsent = problem === 'absent'
    return isAbsent || thingOf(things, kinds, id) === undefined ? [{ label, id, isAbsent }] : []
  })
  return [...new Map(found.map((riddle) => [`${riddle.label ?? ''} ${riddle.id}`, riddle])).values()]
}

/** Above the preview, so that an unknown id is not taken for an entity listed below. */
export function Unresolved(props: {
  readonly riddles: readonly Riddle[]
  readonly appName: string
}): JSX.Element | null {
  const { riddles, appName } = props
  const absent = riddles.filter(({ isAbsent }) => isAbsent)
  const unknown = riddles.filter(({ isAbsent }) => !isAbsent)
  if (riddles.length === 0) return null
  return (
    <div class="notice bad" data-read>
      {absent.length > 0 && (
        <p>
          <strong>{appName} says that this is not there:</strong> <Named riddles={absent} />.
        </p>
      )}
      {unknown.length > 0 && (
        <p>
          <strong>Callgate does not know what this stands for:</strong> <Named riddles={unknown} />. Look in {appName}{' '}
          before you approve it.
        </p>
      )}
    </div>
  )
}

function Named({ riddles }: { readonly riddles: readonly Riddle[] }): JSX.Element {
  return (
    <>
      {riddles.slice(0, most).map(({ label, id }, at) => (
        <span key={`${label ?? ''} ${id}`}>
          {at > 0 && ', '}
          {label !== undefined && label !== riddles[at - 1]?.label && `${label} `}
          <span class="mono at">
            <Text value={id} />
          </span>
        </span>
      ))}
      {riddles.length > most && ` and ${riddles.length - most} more`}
    </>
  )
}
