import type { JSX } from 'preact'
import { fieldsOf } from '../../core/calls/finding.ts'
import type { Finding } from '../../core/calls/finding.ts'
import { longestLook } from '../../core/calls/look.ts'
import type { Look } from '../../core/calls/findings.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Verify } from '../../connectors/kit/declared.ts'
import { labelKey } from '../../connectors/kit/declared.ts'
import type { App, Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { failures } from '../parts/call-status-text.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { labelOf } from '../parts/declared.ts'
import type { Viewer } from '../parts/layout.tsx'
import { itemsOf, schemaAt } from '../parts/schema.ts'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { Fields } from '../parts/value.tsx'

/** A write whose effect can be verified in the app. */
type Verified = Endpoint & { readonly verify: Verify }

export function isVerified(write: Endpoint): write is Verified {
  return write.verify !== null
}

interface LookProps {
  readonly viewer: Viewer
  readonly row: CallRow
  readonly app: App
  readonly write: Verified
  readonly look: Look | undefined
}

/** A worker may still be verifying. */
export function isLooking(look: Look | undefined): boolean {
  if (look === undefined || (look.foundAt !== null && look.foundAt >= look.askedAt)) return false
  return look.askedAt.getTime() + longestLook > Date.now()
}

/** Verification of a call that ended `unknown`: on request of its owner, and never conclusive. */
export function LookInApp(props: LookProps): JSX.Element {
  const { viewer, row, app, look } = props
  const looking = isLooking(look)
  const follow = looking && {
    'hx-get': `/calls/${row.id}`,
    'hx-trigger': 'every 2s',
    'hx-select': '#look',
    'hx-swap': 'outerHTML',
  }
  return (
    <section id="look" class="look" aria-live="polite" {...follow}>
      <h2>What {app.name} shows</h2>
      {looking ? <p>Looking in {app.name}…</p> : look && <Found {...props} look={look} />}
      {!looking && row.resolution === null && row.input !== null && (
        <ActionForm viewer={viewer} action={`/calls/${row.id}`} class="row buttons" label="Look in the app">
          <p class="hint">
            Callgate can look for what this call would have left there. It only reads, and costs no credits.
          </p>
          <button type="submit" name="action" value="look">
            Look in the app{look && ' again'}
          </button>
        </ActionForm>
      )}
    </section>
  )
}

function Found(props: LookProps & { readonly look: Look }): JSX.Element {
  const { foundAt, finding, askedAt } = props.look
  if (foundAt === null || foundAt < askedAt || finding === null)
    return (
      <p>
        A look-up was tried <Time at={askedAt} />, but there was no answer in time.
      </p>
    )
  return <Said {...props} finding={finding} at={foundAt} />
}

function Said(props: LookProps & { readonly finding: Finding; readonly at: Date }): JSX.Element {
  const { finding, at, app, row, write } = props
  switch (finding.kind) {
    case 'found': {
      const { count, things } = finding
      return (
        <>
          <p>
            <strong>{count === 1 ? 'One like it is there' : `${count} like it are there`}</strong>, <Time at={at} />.{' '}
            {count === 1
              ? 'If nobody else made it, your call happened.'
              : 'Only you can tell whether this call made one of them.'}
            {count > things.length && ` These are the first ${things.length}:`}
          </p>
          {things.map((thing, index) => (
            <div class="result" key={index}>
              <Fields value={thing} schema={schemaOf(app, write)} />
            </div>
          ))}
        </>
      )
    }
    case 'nothing':
      return (
        <p>
          <strong>Nothing like it was found</strong>, <Time at={at} />. That does not prove anything: it may be further
          down than Callgate looks, or still on its way.
        </p>
      )
    case 'untold':
      return (
        <>
          <p>
            It could not be looked up, <Time at={at} />. {untold[finding.code] ?? failures[finding.code]}
            {finding.said !== undefined && (
              <>
                {`${app.name} says: `}
                <q>
                  <Text value={finding.said} />
                </q>
              </>
            )}
          </p>
          {signIn.has(finding.code) && (
            <p>
              <a href={`/connect/${app.slug}?account=${encodeURIComponent(row.account)}`}>
                Sign in to {app.name} again
              </a>
              , then look again.
            </p>
          )}
        </>
      )
  }
}

const signIn: ReadonlySet<string> = new Set(['AUTH_EXPIRED', 'CAPTCHA_REQUIRED', 'MFA_REQUIRED'])

const untold: Readonly<Record<string, string>> = {
  TARGET_BLOCKED: 'The app is refusing access.',
  definition_changed: 'Callgate no longer knows where to look.',
  paused: 'The operator has paused this for a while.',
  unavailable: 'A part of Callgate is being restarted.',
}

/** Schema of a verification result, by path. Fields that match the input have its labels. */
function schemaOf(app: App, { verify, inputSchema }: Verified): JsonSchema {
  const output = app.endpoints.get(verify.read)?.outputSchema
  const place = verify.at === undefined ? output : schemaAt(output, verify.at)
  const thing = itemsOf(place) ?? place
  const properties = fieldsOf(verify).map((path) => {
    const { description: _, ...schema } = schemaAt(thing, path) ?? {}
    const from = verify.same[path]
    const own = path === verify.since ? 'When' : path === verify.id ? 'Id there' : undefined
    const label = labelOf(schema) ?? (from === undefined ? own : labelOf(schemaAt(inputSchema, from)))
    return [path, { ...schema, ...(label !== undefined && { [labelKey]: label }) }] as const
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}
