import { createContext } from 'preact'
import type { JSX } from 'preact'
import { useContext } from 'preact/hooks'
import type { JsonSchema } from '../../connectors/registry.ts'
import type { Fields as Beside } from '../../connectors/kit/wire.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { choiceInWords, isDay, kindsOf, labelOf, moneyOf, namesRecipients, toldLabelOf } from './declared.ts'
import { amountOf, sumOf } from './money.ts'
import type { Amount } from './money.ts'
import { choicesOf, itemsOf, objectFor, propertiesOf } from './schema.ts'
import { Text } from './text.tsx'
import { Known, thingOf } from './things.ts'
import type { KnownThing } from './things.ts'
import { counted, onTheCalendar, onTheClock, Time } from './time.tsx'

/** In characters of JSON: longer inputs are decided on the call's own page, without JSON copy. */
const longest = 32_768

export function isLong(value: object): boolean {
  return JSON.stringify(value).length > longest
}

/** A JSON object in full: label, schema description and value of each field, recursively. */
export function Fields({ value, schema }: { value: object; schema: JsonSchema | undefined }): JSX.Element {
  const entries: [string, unknown][] = Object.entries(value)
  const beside = Object.fromEntries(entries)
  if (entries.length === 0) return <p class="empty">no fields</p>
  const properties = propertiesOf(objectFor(schema, value))
  const known = Object.keys(properties)
  const place = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length)
  return (
    <dl class="fields">
      {entries
        .toSorted(([a], [b]) => place(a) - place(b))
        .map(([name, inner]) => (
          <Field
            key={name}
            name={name}
            value={inner}
            schema={known.includes(name) ? properties[name] : undefined}
            beside={beside}
          />
        ))}
    </dl>
  )
}

interface ValueProps<V> {
  readonly value: V
  readonly schema: JsonSchema | undefined
  /** The object that contains the field. */
  readonly beside: Beside
}

function Field({ name, ...props }: ValueProps<unknown> & { readonly name: string }): JSX.Element {
  const { value, schema } = props
  const isSent = useContext(IsSent)
  const label = schema && !isSent ? toldLabelOf(schema, name) : labelOf(schema)
  const description = schema?.['description']
  return (
    <div class="field">
      <dt>
        {label ?? (
          <code>
            <Text value={name} />
          </code>
        )}
        {Array.isArray(value) && <span class="count">{countOf(value, schema)}</span>}
      </dt>
      <dd>
        <Value {...props} />
        {typeof description === 'string' && !isClear(value, schema) && (
          <p class="hint" data-aside>
            {description}
          </p>
        )}
      </dd>
    </div>
  )
}

/** Hints on how to fill in an id, date or amount are for the form, not for a formatted value. */
function isClear(value: unknown, schema: JsonSchema | undefined): boolean {
  return (
    kindsOf(schema).length > 0 ||
    moneyOf(schema) !== undefined ||
    isDay(schema) ||
    (typeof value === 'string' && onTheClock(value) !== undefined)
  )
}

/** A JSON value, formatted. */
export function Value(props: ValueProps<unknown>): JSX.Element {
  const { value, schema, beside } = props
  const money = moneyOf(schema)
  const amount = money && amountOf(value, money, beside)
  if (amount !== undefined) return <Sum amount={amount} sent={String(value)} />
  if (typeof value === 'string') return <Words value={value} schema={schema} />
  if (typeof value === 'boolean') return <p class="value">{value ? 'yes' : 'no'}</p>
  if (typeof value === 'number') return <Figure value={value} />
  if (Array.isArray(value)) return <List value={value} schema={itemsOf(schema)} beside={beside} />
  const sum = isFields(value) ? sumOf(value, schema) : undefined
  if (sum !== undefined) return <Sum amount={sum} sent={sum.sent} />
  if (typeof value === 'object' && value !== null) return <Fields value={value} schema={schema} />
  return <p class="empty">nothing (null)</p>
}

function Sum({ amount, sent }: { readonly amount: Amount; readonly sent: string }): JSX.Element {
  const { words, note, converted } = amount
  if (converted) return <SaidAs words={words} value={sent} />
  return (
    <p class="value">
      {words}
      {note !== undefined && <span class="hint"> {note}</span>}
    </p>
  )
}

/** Long numbers are also shown with digit groups. */
function Figure({ value }: { value: number }): JSX.Element {
  const long = Math.abs(value) >= 10_000
  return (
    <p class="value">
      {String(value)}
      {long && <span class="hint"> ({value.toLocaleString('en-GB', { maximumFractionDigits: 20 })})</span>}
    </p>
  )
}

function Words({ value, schema }: Omit<ValueProps<string>, 'beside'>): JSX.Element {
  if (value === '') return <p class="empty">empty text</p>
  const there = onTheClock(value)
  if (there !== undefined) return <Moment value={value} {...there} />
  const day = isDay(schema) ? onTheCalendar(value) : undefined
  if (day !== undefined) return <SaidAs words={day} value={value} />
  const choice = schema && choicesOf(schema).includes(value) ? choiceInWords(value) : value
  if (choice !== value) return <SaidAs words={choice} value={value} />
  const plain = (
    <p class="value">
      <Text value={value} />
    </p>
  )
  const kinds = kindsOf(schema)
  if (kinds.length === 0) return plain
  return (
    <Known.Consumer>
      {(things) => {
        const thing = thingOf(things, kinds, value)
        return thing === undefined ? plain : <Thing thing={thing} id={value} />
      }}
    </Known.Consumer>
  )
}

/** Whether the values are sent; otherwise they come from the app. */
export const IsSent = createContext(true)

interface SaidAsProps {
  readonly words: string
  readonly value: string
  /** Also shown in the user's time zone, where its offset differs. */
  readonly moment?: { readonly at: Date; readonly offset: number }
}

/** A formatted value and, if it is sent, the raw one. */
function SaidAs({ words, value, moment }: SaidAsProps): JSX.Element {
  return (
    <>
      <p class="value">{words}</p>
      <IsSent.Consumer>
        {(isSent) =>
          (isSent || moment !== undefined) && (
            <p class="hint">
              {moment && (
                <span data-unless-offset={moment.offset}>
                  for you <Time at={moment.at} />
                  {isSent && '; '}
                </span>
              )}
              {isSent && `sent as ${value}`}
            </p>
          )
        }
      </IsSent.Consumer>
    </>
  )
}

/** A timestamp in its own zone and in the user's. */
function Moment({ value, words, offset }: { value: string; words: string; offset: number }): JSX.Element {
  return <SaidAs words={words} value={value} moment={{ at: new Date(value), offset }} />
}

/** The entity of an id as the app names it, and the id itself, which is sent. */
function Thing({ thing: { name, facts, at }, id }: { thing: KnownThing; id: string }): JSX.Element {
  return (
    <>
      <p class="value">
        {name !== undefined && (
          <strong>
            <Text value={name} />
          </strong>
        )}
        {name !== undefined && facts.length > 0 && ' · '}
        {facts.length > 0 && <Text value={facts.join(' · ')} />}
      </p>
      <p class="hint">
        <Text value={id} /> · as the app told it on <Time at={at} />
      </p>
    </>
  )
}

/** Longer lists scroll in their own box, so that what follows stays reachable. */
const mostInSight = 30

function List({ value: values, schema, beside }: ValueProps<readonly unknown[]>): JSX.Element {
  if (values.length === 0) return <p class="empty">an empty list</p>
  const list = (
    <ol class="list">
      {values.map((value, index) => (
        <li key={index}>
          <Value value={value} schema={schema} beside={beside} />
        </li>
      ))}
    </ol>
  )
  if (values.length <= mostInSight) return list
  return (
    <div class="many" tabindex={0} role="region" aria-label={`All ${values.length}`}>
      {list}
    </div>
  )
}

function countOf(values: readonly unknown[], schema: JsonSchema | undefined): string {
  const different = new Set(values.map((value) => JSON.stringify(value))).size
  const count = namesRecipients(schema)
    ? counted(values.length, 'recipient')
    : counted(values.length, 'entry', 'entries')
  return different === values.length ? count : `${count}, ${different} different`
}
