import { levels } from '../../connectors/runtime/app.ts'
import { callStatuses } from '../../schemas/call.ts'
import type { WaitingFor } from '../../schemas/call.ts'
import { appDeclarations, declarationSchemas, endpointDeclarations } from './declarations.ts'
import { integer, listOf, moment, object, orNull, schemaRef, text, described, url } from './parts.ts'
import type { Json } from './parts.ts'
import { idForm } from '../../schemas/ids.ts'

const links = (...names: readonly string[]): Json => object(Object.fromEntries(names.map((name) => [name, url])))
const flag: Json = { type: 'boolean' }
const access: Json = { type: 'string', enum: ['read', 'write'] }
const page = {
  next_cursor: described(orNull(text), 'Pass it back as `cursor` for the next page; null = there is none.'),
}

const waitsFor: Readonly<Record<WaitingFor, string>> = {
  pacing: 'its turn with the app',
  blocked: 'the end of a pause, `retry_at`',
  reconnect: 'the person, at `connect_url`',
  engine: 'the engine',
  operator: 'the end of an operator’s pause',
}

const credits: Json = { type: 'integer', minimum: 0 }

/** A 202: the call without its output. */
function accepted(statuses: readonly string[], fields: Json = {}, optional: readonly string[] = []): Json {
  return object(
    {
      status: statuses.length === 1 ? { const: statuses[0] } : { type: 'string', enum: statuses },
      call_id: schemaRef('CallId'),
      ...fields,
      message: described(text, 'What this means and what to do, for an agent.'),
    },
    optional,
  )
}

const awaiting = {
  confirm_url: described(url, 'Give it to the person: they see there what will be sent, and decide.'),
  expires_at: described(moment, 'Until when the person can decide.'),
}

const connect_url = described(url, 'Give it to the person: they sign in to the app there.')
const builtIn = described(
  { const: false },
  'False: its connector was added by the operator of this gateway. Absent: it is built in.',
)
const scale = described(
  { enum: [...levels] },
  'How much of an added connector is proven, as its author’s checks found. Absent: nobody told, or little.',
)
const signIn = {
  waiting_for: described({ const: 'reconnect' }, 'The person has to sign in to the app again, at `connect_url`, too.'),
  connect_url,
}

/** Components: Callgate’s own shapes. */
export const ownSchemas: Json = {
  CallId: { type: 'string', pattern: idForm('call') },
  AwaitingConfirmation: accepted(['awaiting_confirmation'], { ...signIn, ...awaiting }, Object.keys(signIn)),
  Running: accepted(['running']),
  Unknown: accepted(['unknown']),
  NotSent: described(
    accepted(['rejected', 'expired', 'cancelled']),
    'The answer to a request that is sent again later.',
  ),
  Accepted: {
    oneOf: ['AwaitingConfirmation', 'Running', 'Unknown', 'NotSent'].map(schemaRef),
    discriminator: {
      propertyName: 'status',
      mapping: {
        awaiting_confirmation: '#/components/schemas/AwaitingConfirmation',
        running: '#/components/schemas/Running',
        unknown: '#/components/schemas/Unknown',
        rejected: '#/components/schemas/NotSent',
        expired: '#/components/schemas/NotSent',
        cancelled: '#/components/schemas/NotSent',
      },
    },
  },
  Call: described(
    object(
      {
        call_id: schemaRef('CallId'),
        app: text,
        endpoint: text,
        account: text,
        status: { type: 'string', enum: callStatuses },
        waiting_for: {
          type: 'string',
          enum: Object.keys(waitsFor),
          description: `What a running call waits for; while it awaits confirmation at most \`reconnect\`, besides the decision: ${Object.entries(
            waitsFor,
          )
            .map(([name, words]) => `\`${name}\`, ${words}`)
            .join('; ')}.`,
        },
        created_at: moment,
        updated_at: moment,
        expires_at: awaiting.expires_at,
        asked_again: described(
          { type: 'integer', minimum: 1 },
          'How often the person was asked once more, as what matters had changed in the app after they approved. Nothing was sent then.',
        ),
        rounds: described(
          listOf(
            object({
              by: described(text, '`owner`, or the id of a standing approval.'),
              approved_at: moment,
              ended_at: described(moment, 'When it was found that what matters had changed.'),
            }),
          ),
          'The rounds of asking that ended so, the first first; absent until there is one.',
        ),
        retry_at: described(moment, 'When it is tried again.'),
        confirm_url: awaiting.confirm_url,
        connect_url,
        credits_used: credits,
        output: { type: 'object', description: 'The endpoint’s output, once executed.' },
        error: described(schemaRef('CallError'), 'Why it failed.'),
        decision: described(
          schemaRef('Decision'),
          'What the person said, once they have. Absent while they are asked again.',
        ),
        metadata: described(
          { type: 'object', additionalProperties: text },
          'What the client attached with X-Callgate-Metadata; deleted with the content of the call.',
        ),
        resolution: described(
          object({ happened: flag, by: text, at: moment }),
          'What somebody found out about an unknown call.',
        ),
      },
      [
        'waiting_for',
        'expires_at',
        'asked_again',
        'rounds',
        'retry_at',
        'confirm_url',
        'connect_url',
        'output',
        'error',
        'decision',
        'metadata',
        'resolution',
      ],
    ),
    'A call, from its acceptance to its end. Fields that do not apply are absent.',
  ),
  Decision: object(
    {
      by: described(text, '`owner`, or the id of the standing approval that said it in advance.'),
      at: moment,
      decision: { type: 'string', enum: ['approved', 'rejected'] },
      reason: described({ type: 'string', maxLength: 500 }, 'The person’s own words.'),
      changed: described(
        listOf(text),
        'JSON paths (RFC 9535) of the input that the person changed before, such as `$.items[0].price`; what was sent differs from what you asked for there.',
      ),
    },
    ['reason', 'changed'],
  ),
  CallError: described(
    object({ error: text, message: text, request_id: schemaRef('CallId'), http_status: integer }),
    'The error body of the call, and its HTTP status.',
  ),
  Calls: object({ calls: listOf(schemaRef('Call')), ...page }),
  Connections: object({ connections: listOf(schemaRef('Connection')) }),
  Connection: object(
    {
      app: text,
      account: described(text, 'Goes into X-Callgate-Account.'),
      label: described(text, 'What the person knows the account by.'),
      origin: described(url, 'Where the app of this account is. Absent where the app is at one address for everybody.'),
      state: {
        type: 'string',
        enum: ['connected', 'expired', 'needs_check', 'blocked'],
        description:
          'expired and needs_check: the person signs in again at `connect_url`. blocked: the app refuses access for a while, at one endpoint at least.',
      },
      connected_at: orNull(moment),
      last_used_at: described(orNull(moment), 'By a call that the key sees; null = never.'),
      connect_url: described(url, 'Where the person connects the account again.'),
    },
    ['origin'],
  ),
  Usage: object({
    plan: described(text, 'The size that the owner has: none, small, medium or large.'),
    monthly_credits: credits,
    credits_left: described(credits, 'What can be spent now, by all keys of the owner.'),
    credits_reserved: described(
      credits,
      'Held by calls that the key sees and that have not ended, those of earlier months too.',
    ),
    next_credits_at: described(moment, 'When the next monthly credits come; what is left by then lapses.'),
    month: described({ type: 'string', pattern: '^\\d{4}-\\d{2}$' }, 'The month that the statement is of.'),
    totals: described(
      object({
        granted: credits,
        refunded: credits,
        used: credits,
        reserved: credits,
        lapsed: credits,
        left: credits,
      }),
      'The sums of the month; `refunded`, `used` and `reserved` are of the calls that the key sees. For a key that sees all: granted + refunded = used + reserved + lapsed + left.',
    ),
    entries: described(
      listOf(schemaRef('UsageEntry')),
      'The month’s statement, newest first: grants and lapses, and what belongs to calls that the key sees.',
    ),
    ...page,
  }),
  UsageEntry: object(
    {
      at: moment,
      kind: {
        type: 'string',
        enum: ['grant', 'upgrade', 'lapse', 'reserve', 'capture', 'release', 'refund'],
        description:
          'grant: the monthly credits came. upgrade: a larger plan topped them up. reserve: a call was accepted and holds its credits. capture: it was executed and used them. release: it used none, and gave them back. refund: an operator gave back what a call had used. lapse: the month is over.',
      },
      credits: { type: 'integer', minimum: 1 },
      change: described(integer, 'What it does to `credits_left`.'),
      reserved_change: described(integer, 'What it does to `credits_reserved`.'),
      call_id: schemaRef('CallId'),
      app: text,
      endpoint: text,
      note: text,
    },
    ['call_id', 'app', 'endpoint', 'note'],
  ),
  Apps: object({ apps: listOf(schemaRef('ListedApp')) }),
  ListedApp: object(
    {
      slug: text,
      name: text,
      description: text,
      endpoint_count: integer,
      built_in: builtIn,
      scale,
      links: links('self', 'endpoints', 'docs'),
    },
    ['built_in', 'scale'],
  ),
  App: object(
    {
      slug: text,
      name: text,
      description: text,
      role: described(text, 'The account that the person needs in the app.'),
      connection: object({ kind: text, connect_url: url }),
      endpoint_count: integer,
      built_in: builtIn,
      scale,
      endpoints: listOf(schemaRef('ListedEndpoint')),
      ...appDeclarations,
      links: links('self', 'endpoints', 'docs'),
    },
    ['built_in', 'scale'],
  ),
  Endpoints: object({ endpoints: listOf(schemaRef('ListedEndpoint')) }),
  ListedEndpoint: object({ name: text, access, confirm: flag, summary: text, links: links('self') }),
  Endpoint: object(
    {
      app: text,
      name: text,
      access,
      confirm: described(flag, 'Whether it waits for the person’s approval by default.'),
      summary: text,
      credits,
      input_schema: described({ type: 'object' }, 'JSON Schema 2020-12.'),
      output_schema: described({ type: 'object' }, 'JSON Schema 2020-12.'),
      ...endpointDeclarations,
      example: object({ input: { type: 'object' }, output: { type: 'object' } }),
      links: links('self', 'call', 'app', 'docs'),
    },
    [
      'example',
      'x-callgate-label',
      'x-callgate-effect',
      'x-callgate-shown-by',
      'x-callgate-preview',
      'x-callgate-verify',
    ],
  ),
  ...declarationSchemas,
}
