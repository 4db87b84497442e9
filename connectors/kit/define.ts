import { Type } from 'typebox'
import type { Static, TObject, TProperties } from 'typebox'
import type { Access } from '../../schemas/call.ts'
import type { Answer } from './answer.ts'
import type { BeforePage } from './before.ts'
import type { Csrf } from './csrf.ts'
import type { Effect, Preview, ShownBy, Thing, Verify } from './declared.ts'
import { anyOf } from './failures.ts'
import type { Failure, FailureRule } from './failures.ts'
import type { FreeText } from './free-text.ts'
import { parseLine } from './request-line.ts'
import type { CheckedLine, Line, PageLine } from './request-line.ts'
import type { NumberedIds } from './numbered-ids.ts'
import type { SubmitButton, WholeForm } from './whole-form.ts'
import type { Origin } from './origin.ts'
import type { Renew, SessionFill } from './session-token.ts'
import type { Fields } from './wire.ts'

/**
 * An endpoint's own words: what `endpoint({...})` takes. `I` and `O` are the input and output properties, `L` the request line, `F` the page after
 * it, `P` the page of its form.
 */
export type EndpointSpec<
  I extends TProperties,
  O extends TProperties,
  L extends string,
  F extends string,
  P extends string = never,
> = ReadSpec<I, O, L, F> | WriteSpec<I, O, L, F, P>

export interface ReadSpec<
  I extends TProperties,
  O extends TProperties,
  L extends string,
  F extends string,
> extends CommonSpec<I, O, F> {
  readonly access: 'read'
  /** `METHOD /path/{input}` below the app's root; `{input?}` leaves its segment out where the input is not there, `{cursor?}` on a first page. */
  readonly request: CheckedLine<L, I, 'read'>
}

export interface WriteSpec<
  I extends TProperties,
  O extends TProperties,
  L extends string,
  F extends string,
  P extends string = never,
> extends CommonSpec<I, O, F> {
  readonly access: 'write'
  /** What it does to what the account has. */
  readonly effect: Effect
  /** The reads that show afterwards whether it happened, the surest first; none where no read of the app does. */
  readonly shownBy: readonly ShownBy[]
  /** What is looked up in the app before the person is asked: of each id that it takes, what a person knows the thing by. */
  readonly preview?: readonly Preview[]
  /** How to look whether it happened, where its answer was lost. */
  readonly verify?: Verify
  /** One that reaches other people waits for the person's approval. Default false. */
  readonly confirm?: boolean
  /** `METHOD /path/{input}` below the app's root, and no GET. */
  readonly request: CheckedLine<L, I, 'write'>
  /** In place of `encode`: a form of the app is read, filled in and sent whole. */
  readonly form?: WholeForm<PageLine<P, I>, Filled<I>, EncodeContext, keyof I & string>
  /** Further places that are filled when it is sent, such as a nonce or a view state: each found like a CSRF token. */
  readonly volatile?: readonly Csrf[]
}

interface CommonSpec<I extends TProperties, O extends TProperties, F extends string> {
  /** One sentence for an agent, from the person's point of view. */
  readonly summary: string
  /** For the search: other words for it, and what people say who want it, such as `move an appointment`, `who is coming tomorrow`. */
  readonly aliases?: readonly string[]
  /** What a person reads of it: a few plain words, as on a button, `Send an invoice`. */
  readonly label: string
  /** The inputs that say most of one call, the most telling first: lists of calls show them in one line. */
  readonly brief: readonly (keyof I & string)[]
  /** The name of one of the connector's `hosts`, where this endpoint's pages are; default: the app's own. */
  readonly host?: string
  /** Default: 1 for a read, 3 for a write. */
  readonly credits?: number
  /** For inputs of the request line that are addresses or put together, not identifiers: what one stands for. Throws `InputRejected` when it stands for nothing. */
  readonly segments?: Partial<Record<keyof I, Segment>>
  readonly input: I
  readonly output: O
  /** What the app answers with when it did as told. Default 'json'. */
  readonly answer?: AnswerKind
  /** What its own answers look like when the app did nothing, whatever their status: asked before the connector's rules, also of the `after` page. */
  readonly failure?: FailureRule | readonly FailureRule[]
  /** A page read after the action was done, when the answer itself does not tell enough, or `location`, where it led; `decode` gets this page's answer. */
  readonly after?: PageLine<F, I> | 'location'
  /** The type of the `after` page. Default 'json', and 'page' of `location`. */
  readonly afterAnswer?: AnswerKind
  /** Where this request's CSRF token comes from; default: as the connector says, and none for a GET. */
  readonly csrf?: Csrf | null
  /**
   * What is read first, where `encode` or `decode` look things up (their `before`), such as names and their ids: a JSON page below the app's root,
   * or up to five pages by names, each of which may use what those before it gave.
   */
  readonly before?: `/${string}` | Readonly<Record<string, BeforePage<Filled<I>, EncodeContext, Parts>>>
  /** Default: inputs that are not in the request line go into the query of a GET, else into a JSON body, under their own names. */
  readonly encode?: (input: Filled<I>, context: EncodeContext) => Parts
  /** Default: the app's fields of the same names. */
  readonly decode?: (fields: Fields, context: DecodeContext<Filled<I>>) => { readonly [K in keyof O]: unknown }
}

/** Makes a segment of the path from an input, or a list for a line that names the input several times, or free text; `origin` is the app's root. */
export type Segment = (value: string, origin: string) => string | readonly string[] | FreeText

/** json: an object (an array arrives as `{ items }`); page: HTML, in `context.page`; redirect: 3xx, in `context.location`. */
export type AnswerKind = 'json' | 'page' | 'redirect'

/** What goes into the request besides the path. Empty values (undefined, null) are left out of `query` and `form`. */
export interface Parts {
  readonly query?: Readonly<Record<string, unknown>>
  readonly form?: Readonly<Record<string, unknown>>
  readonly json?: unknown
  /** The fields of a multipart body: texts, and files of the input. Lists are repeated names; empty values are left out. */
  readonly multipart?: Readonly<Record<string, unknown>>
  /** A file of the input, whose bytes are the body. */
  readonly file?: unknown
  /** Headers that a script of the page could set; those of the connection, the browser and the session it cannot. The person who is asked sees them. */
  readonly headers?: Readonly<Record<string, unknown>>
}

export interface EncodeContext {
  /** The app's own place to go on from, out of the caller's cursor; null on a first page. */
  readonly anchor: string | null
  /** The moment of the request, for windows such as "the last 30 days". */
  readonly now: Date
  /** What the page that the endpoint declares as `before` says, or each of them by its name; empty without one. */
  readonly before: Fields
}

export interface DecodeContext<Input> extends EncodeContext {
  readonly input: Input
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  /** The body of a 'page' answer, else ''. */
  readonly page: string
  /** Path and query of a 'redirect' answer, or of where a read was led, below the app's root and without its leading slash, else ''. An `after` page leaves it. */
  readonly location: string
  /** Makes `next_cursor` from the app's own place to go on from; null stays null. */
  readonly cursor: (anchor: string | number | null) => string | null
}

/** The input as the functions see it: validated, with defaults filled in. */
export type Filled<I extends TProperties> = Static<TObject<I>> & {
  [K in keyof I as I[K] extends { default: unknown } ? K : never]-?: Static<I[K]>
}

/** The same with its types forgotten, as the runtime handles all endpoints alike. */
export interface EndpointDefinition {
  readonly summary: string
  /** Absent: its connector was made before there were any. */
  readonly aliases?: readonly string[]
  readonly label: string
  readonly brief: readonly string[]
  readonly effect: Effect | null
  readonly shownBy: readonly ShownBy[]
  readonly preview: readonly Preview[]
  readonly verify: Verify | null
  readonly access: Access
  readonly confirm: boolean
  readonly credits: number
  readonly line: Line
  readonly host: string | null
  readonly segments: Readonly<Record<string, Segment | undefined>>
  readonly input: TObject
  readonly output: TObject
  readonly answer: AnswerKind
  readonly failure: FailureRule | null
  readonly after: Line | 'location' | null
  readonly afterAnswer: AnswerKind
  readonly csrf: Csrf | null | undefined
  /** What is read before the request can be made; null: nothing of the app is needed for that. */
  readonly before: string | Readonly<Record<string, BeforePage<Input, EncodeContext, Parts>>> | null
  /** The form that is sent whole; null: `encode` makes the request. */
  readonly form: FormDefinition | null
  readonly volatile: readonly Csrf[]
  encode(input: Input, context: EncodeContext): Parts
  decode(fields: Fields, context: DecodeContext<Input>): Record<string, unknown>
}

export interface FormDefinition extends Required<
  Omit<WholeForm<Line, Input, EncodeContext, string>, 'fields' | 'submit'>
> {
  readonly fields: readonly string[] | null
  readonly submit: SubmitButton | null
}

export type Input = Readonly<Record<string, unknown>>

/** One action of an app. Its id is the folder and the export name; nothing else registers it. */
export function endpoint<
  I extends TProperties,
  O extends TProperties,
  const L extends string,
  const F extends string = never,
  const P extends string = never,
>(spec: EndpointSpec<I, O, L, F, P>): EndpointDefinition {
  const line = parseLine(spec.request)
  const output = Object.keys(spec.output)
  const write = spec.access === 'write' ? spec : undefined
  const form = write?.form
  if (form && spec.encode) throw new Error(`"${spec.request}" has a form, so nothing is left to encode`)
  return {
    summary: spec.summary,
    aliases: spec.aliases ?? [],
    label: spec.label,
    brief: spec.brief,
    effect: write ? write.effect : null,
    shownBy: write ? write.shownBy : [],
    preview: write?.preview ?? [],
    verify: write?.verify ?? null,
    access: spec.access,
    confirm: write?.confirm ?? false,
    credits: spec.credits ?? (write ? 3 : 1),
    line,
    host: spec.host ?? null,
    segments: spec.segments ?? {},
    input: Type.Object(spec.input, { additionalProperties: false }),
    output: Type.Object(spec.output, { additionalProperties: false }),
    answer: spec.answer ?? 'json',
    failure: spec.failure === undefined ? null : anyOf([spec.failure].flat()),
    after: spec.after === undefined ? null : spec.after === 'location' ? 'location' : parseLine(spec.after),
    afterAnswer: spec.afterAnswer ?? (spec.after === 'location' ? 'page' : 'json'),
    csrf: spec.csrf,
    before: (spec.before as EndpointDefinition['before'] | undefined) ?? null,
    form: form
      ? {
          page: parseLine(form.page),
          query: form.query ?? {},
          selector: form.selector,
          set: (input, context) => form.set(input as Filled<I>, context),
          submit: form.submit ?? null,
          fields: form.fields ?? null,
          volatile: form.volatile ?? [],
          suggested: form.suggested ?? [],
          labels: form.labels ?? {},
        }
      : null,
    volatile: write?.volatile ?? [],
    encode(input, context) {
      if (spec.encode) return spec.encode(input as Filled<I>, context)
      const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !line.names.includes(name)))
      return line.method === 'GET' ? { query: rest } : { json: rest }
    },
    decode(fields, context) {
      if (spec.decode) return spec.decode(fields, { ...context, input: context.input as Filled<I> })
      return Object.fromEntries(output.filter((name) => name in fields).map((name) => [name, fields[name]]))
    },
  }
}

/** A person's way in. Pages are below the app's root. */
export interface SignIn {
  readonly page: string
  readonly who: {
    /** What only somebody who is signed in can read. */
    readonly page: string
    /** The account in that page's text, by the app's own id; null when it tells none. */
    readonly account: (text: string) => { readonly id: string; readonly label: string } | null
  }
  /** Other hosts that these pages lead to or load from, such as a sign-in service's: `https://accounts.example.com`. Default: none. */
  readonly hosts?: readonly string[]
  /** Keys of the app's localStorage that are kept with the session, sealed, for `authorize` and `renew`. Default: none. */
  readonly storage?: readonly string[]
}

/** An app: who it is, where it is, and what its failures look like. */
export interface ConnectorSpec {
  readonly name: string
  readonly description: string
  /** The account that the documents ask for. */
  readonly role: string
  /** For the search: words of the app's field, separated by spaces, such as `gym yoga class member`. */
  readonly topics?: string
  /** Absolute address of the app's root, ending in a slash; `{sandbox}` stands for the sandbox's address. Or what a person is asked for it. */
  readonly origin: Origin
  /** Further hosts of the app, by a name that endpoints use: `{ api: 'https://api.example.com/' }`. The session goes there, too. */
  readonly hosts?: Readonly<Record<string, string>>
  /** Headers of every request that are filled with tokens of the session: `[session.token('access')]`. */
  readonly authorize?: readonly SessionFill[]
  /** How a session that the app says is over gets new tokens, without the person. */
  readonly renew?: Renew
  /** Where requests other than GET find their CSRF token, when the app asks for one. */
  readonly csrf?: Csrf
  /** Where a person signs in themselves, and how the app tells whose account it is then. */
  readonly signIn: SignIn
  /** The kinds of things whose ids the endpoints take: the word of `id(…)` and `refTo(…)` → what tells about it. */
  readonly things: Readonly<Record<string, Thing>>
  /** For an app whose ids are numbers that mean several kinds of things. */
  readonly numbered?: NumberedIds
  /** Sends per second that the app's own limit leaves room for. Default: 20 for the app, 2 for an account. */
  readonly pacing?: { readonly perApp: number; readonly perAccount: number }
  /** Which version of itself the app tells on a page, for those who watch it; null: this page tells none. Default: it tells none. */
  readonly version?: (page: string) => string | null
  /** What an answer says went wrong; undefined when it is not a failure. 429 and 5xx need no rule. */
  readonly failure: (answer: Answer) => Failure | undefined
  /** The endpoints: a file per resource, imported whole (`import * as listings`). Their names are the export names. */
  readonly endpoints: readonly Readonly<Record<string, EndpointDefinition>>[]
}

export function connector(spec: ConnectorSpec): ConnectorSpec {
  return spec
}
