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

/** Characters of JSON that are read in one go; what is longer stands alone, and once. */
const longest = 32_768

export function isLong(value: object): boolean {
  return JSON.stringify(value).length > longest
}

/** A JSON object in full: a label, what the schema says about the field, and its value, down to the last level. */
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
  /** The object that it is a field of. */
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

/** Where an id comes from and how a moment or an amount is written is for who fills it in, not for who reads it. */
function isClear(value: unknown, schema: JsonSchema | undefined): boolean {
  return (
    kindsOf(schema).length > 0 ||
    moneyOf(schema) !== undefined ||
    isDay(schema) ||
    (typeof value === 'string' && onTheClock(value) !== undefined)
  )
}

/** A JSON value, as people read it. */
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

/** Long numbers are easier to read in groups. */
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

/** Whether the fields are what is sent; else what an app told. */
export const IsSent = createContext(true)

interface SaidAsProps {
  readonly words: string
  readonly value: string
  /** Told in the reader's zone, too, where that has another offset. */
  readonly moment?: { readonly at: Date; readonly offset: number }
}

/** A value in words and, where it is sent, as it is. */
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

/** A moment in words: where it is, and where the reader is. */
function Moment({ value, words, offset }: { value: string; words: string; offset: number }): JSX.Element {
  return <SaidAs words={words} value={value} moment={{ at: new Date(value), offset }} />
}

/** What an id stands for, as the app said, and the id itself, which is what is sent. */
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

/** More than so many scroll in a box of their own, so that what comes after them is not out of reach. */
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
