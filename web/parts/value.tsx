import type { ComponentChildren, JSX } from 'preact'
import type { JsonSchema } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { isId } from '../calls/reads-that-show.ts'
import { kindsOf, Known, thingOf } from './known-things.ts'
import type { KnownThing } from './known-things.ts'
import { itemsOf, propertiesOf } from './schema.ts'
import { Text } from './text.tsx'
import { counted, onTheCalendar, onTheClock, Time } from './time.tsx'

/** Characters of JSON that are read in one go; what is longer stands alone, and once. */
const longest = 32_768

export function isLong(value: object): boolean {
  return JSON.stringify(value).length > longest
}

/** A JSON object in full: a label, what the schema says about the field, and its value, down to the last level. */
export function Fields({ value, schema }: { value: object; schema: JsonSchema | undefined }): JSX.Element {
  const entries: [string, unknown][] = Object.entries(value)
  if (entries.length === 0) return <p class="empty">no fields</p>
  const known = Object.keys(propertiesOf(schema))
  const place = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length)
  return (
    <dl class="fields">
      {entries
        .toSorted(([a], [b]) => place(a) - place(b))
        .map(([name, inner]) => (
          <Field key={name} name={name} value={inner} schema={propertiesOf(schema)[name]} />
        ))}
    </dl>
  )
}

function Field({ name, value, schema }: { name: string; value: unknown; schema: JsonSchema | undefined }): JSX.Element {
  const description = schema?.['description']
  return (
    <div class="field">
      <dt>
        <Text value={labelOf(name)} />
        {/^[a-z][a-z0-9_]*$/.test(name) || (
          <>
            {' '}
            <code>
              <Text value={name} />
            </code>
          </>
        )}
        {Array.isArray(value) && <span class="count">{countOf(name, value)}</span>}
      </dt>
      <dd>
        <Value value={value} schema={schema} kinds={kindsOf(name, schema)} />
        {typeof description === 'string' && !isClear(name, value, schema) && (
          <p class="hint" data-aside>
            {description}
          </p>
        )}
      </dd>
    </div>
  )
}

/** Where an id comes from and how a moment is written is for who fills it in, not for who reads it. */
function isClear(name: string, value: unknown, schema: JsonSchema | undefined): boolean {
  return isId(name) || schema?.['format'] === 'date' || (typeof value === 'string' && onTheClock(value) !== undefined)
}

interface ValueProps<V> {
  readonly value: V
  readonly schema: JsonSchema | undefined
  /** What it is the id of, if it is one. */
  readonly kinds: readonly string[]
}

function Value({ value, schema, kinds }: ValueProps<unknown>): JSX.Element {
  if (typeof value === 'string') return <Words value={value} schema={schema} kinds={kinds} />
  if (typeof value === 'boolean') return <p class="value">{value ? 'yes' : 'no'}</p>
  if (typeof value === 'number') return <Figure value={value} schema={schema} />
  if (Array.isArray(value)) return <List value={value} schema={itemsOf(schema)} kinds={kinds} />
  if (isSum(value)) return <p class="value">{`${value.amount} ${value.currency}`}</p>
  if (typeof value === 'object' && value !== null) return <Fields value={value} schema={schema} />
  return <p class="empty">nothing (null)</p>
}

/** Nothing but an amount of money: read as one. */
function isSum(value: unknown): value is { readonly amount: number; readonly currency: string } {
  if (!isFields(value) || Object.keys(value).length !== 2) return false
  return typeof value['amount'] === 'number' && /^[A-Z]{3}$/.test(String(value['currency']))
}

/** Long numbers are easier to read in groups, and cents as what they are a part of. */
function Figure({ value, schema }: { value: number; schema: JsonSchema | undefined }): JSX.Element {
  const said = schema?.['description']
  const cents = typeof said === 'string' ? /\bin (US )?cents\b/.exec(said) : null
  const hint =
    cents !== null
      ? `${(value / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })} ${cents[1] === undefined ? 'in whole units' : 'US dollars'}`
      : Math.abs(value) >= 10_000
        ? value.toLocaleString('en-GB', { maximumFractionDigits: 20 })
        : undefined
  return (
    <p class="value">
      {String(value)}
      {hint !== undefined && <span class="hint"> ({hint})</span>}
    </p>
  )
}

function Words({ value, schema, kinds }: ValueProps<string>): JSX.Element {
  if (value === '') return <p class="empty">empty text</p>
  const there = onTheClock(value)
  if (there !== undefined) return <Moment value={value} {...there} />
  const day = schema?.['format'] === 'date' ? onTheCalendar(value) : undefined
  if (day !== undefined) return <SaidAs words={day} value={value} />
  const plain = (
    <p class="value">
      <Text value={value} />
    </p>
  )
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

function SaidAs(props: { words: string; value: string; children?: ComponentChildren }): JSX.Element {
  return (
    <>
      <p class="value">{props.words}</p>
      <p class="hint">
        {props.children}sent as {props.value}
      </p>
    </>
  )
}

/** A moment in words: where it is, and where the reader is. */
function Moment({ value, words, offset }: { value: string; words: string; offset: number }): JSX.Element {
  return (
    <SaidAs words={words} value={value}>
      <span data-unless-offset={offset}>
        for you <Time at={new Date(value)} />
        {'; '}
      </span>
    </SaidAs>
  )
}

/** What an id stands for, as the app said, and the id itself, which is what is sent. */
function Thing({ thing, id }: { thing: KnownThing; id: string }): JSX.Element {
  return (
    <>
      <p class="value">
        {thing.name !== undefined && (
          <strong>
            <Text value={thing.name} />
          </strong>
        )}
        {thing.name !== undefined && thing.rest !== '' && ' · '}
        {thing.rest !== '' && <Text value={thing.rest} />}
      </p>
      <p class="hint">
        <Text value={id} /> · as the app told it on <Time at={thing.at} />
      </p>
    </>
  )
}

/** More than so many scroll in a box of their own, so that what comes after them is not out of reach. */
const mostInSight = 30

function List({ value: values, schema, kinds }: ValueProps<readonly unknown[]>): JSX.Element {
  if (values.length === 0) return <p class="empty">an empty list</p>
  const list = (
    <ol class="list">
      {values.map((value, index) => (
        <li key={index}>
          <Value value={value} schema={schema} kinds={kinds.length > 0 ? kinds : kindsOf('', schema)} />
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

const people =
  /^(to|cc|bcc)$|recipient|contact|guest|client|customer|member|attendee|invitee|student|participant|speaker|waitlist|email|phone/

function countOf(name: string, values: readonly unknown[]): string {
  const different = new Set(values.map((value) => JSON.stringify(value))).size
  const count = people.test(name) ? counted(values.length, 'recipient') : counted(values.length, 'entry', 'entries')
  return different === values.length ? count : `${count}, ${different} different`
}

/** `listing_id` → `Listing id`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
