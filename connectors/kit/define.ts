import { Type } from 'typebox'
import type { Static, TObject, TProperties } from 'typebox'
import type { Access } from '../../schemas/call.ts'
import type { Answer } from './answer.ts'
import type { ApprovalText, CheckedApproval } from './approval.ts'
import type { BeforePage } from './before.ts'
import type { Csrf } from './csrf.ts'
import type { Effect, Preview, ShownBy, Thing, Verify } from './declared.ts'
import { anyOf } from './failures.ts'
import type { Failure, FailureRule } from './failures.ts'
import type { FreeText } from './free-text.ts'
import { groupKeywords } from './groups.ts'
import type { Groups } from './groups.ts'
import { parseLine } from './request-line.ts'
import type { CheckedLine, Line, PageLine } from './request-line.ts'
import type { NumberedIds } from './numbered-ids.ts'
import type { SubmitButton, WholeForm } from './whole-form.ts'
import type { Origin } from './origin.ts'
import type { Renew, SessionFill } from './session-token.ts'
import { UnknownShape } from './wire.ts'
import type { Fields } from './wire.ts'

/**
 * What `endpoint({...})` takes. `I` and `O` are the input and output properties, `L` the request
 * line, `F` the `after` page, `P` the page of the form.
 */
export type EndpointSpec<
  I extends TProperties,
  O extends TProperties,
  L extends string,
  F extends string,
  P extends string = never,
  A extends ApprovalText = never,
> = ReadSpec<I, O, L, F> | WriteSpec<I, O, L, F, P, A>

export interface ReadSpec<
  I extends TProperties,
  O extends TProperties,
  L extends string,
  F extends string,
> extends CommonSpec<I, O, F> {
  readonly access: 'read'
  /**
   * `METHOD /path/{input}` below the app's root. `{input?}` drops its segment when the input is
   * absent, as `{cursor?}` does on a first page.
   */
  readonly request: CheckedLine<L, I, 'read'>
}

export interface WriteSpec<
  I extends TProperties,
  O extends TProperties,
  L extends string,
  F extends string,
  P extends string = never,
  A extends ApprovalText = never,
> extends CommonSpec<I, O, F> {
  readonly access: 'write'
  /** What the approver reads first. Default: the label, with what the preview shows. */
  readonly approval?: CheckedApproval<A, keyof I & string>
  /** Effect on the account's data. */
  readonly effect: Effect
  /** Reads that show afterwards whether it happened, most reliable first; `[]`: none does. */
  readonly shownBy: readonly ShownBy[]
  /** Reads that show the approver, before the decision, what each id input names. */
  readonly preview?: readonly Preview[]
  /** How to verify whether the write happened when its answer was lost. */
  readonly verify?: Verify
  /** True: each call waits for approval, for writes that reach other people. Default: false. */
  readonly confirm?: boolean
  /** `METHOD /path/{input}` below the app's root; never GET. */
  readonly request: CheckedLine<L, I, 'write'>
  /** Instead of `encode`: reads a form of the app, fills it in and submits all of it. */
  readonly form?: WholeForm<PageLine<P, I>, Filled<I>, EncodeContext, keyof I & string>
  /** Further values filled in at send time, such as a nonce, found like a CSRF token. */
  readonly volatile?: readonly Csrf[]
}

interface CommonSpec<I extends TProperties, O extends TProperties, F extends string> extends Groups<keyof I & string> {
  /** One sentence for agents, from the user's point of view. */
  readonly summary: string
  /** Search aliases and what users ask for: `move an appointment`, `who is coming tomorrow`. */
  readonly aliases?: readonly string[]
  /** Label for users: a few plain words, as on a button, such as `Send an invoice`. */
  readonly label: string
  /** Inputs that best identify a call, most telling first. Lists of calls show them in one line. */
  readonly brief: readonly (keyof I & string)[]
  /** Which of the connector's `hosts` serves this endpoint. Default: the app's `origin`. */
  readonly host?: string
  /** Price in credits. Default: 1 for a read, 3 for a write. */
  readonly credits?: number
  /**
   * How to turn inputs of the request line that are not plain identifiers, such as URLs, into path
   * segments. A function throws `InputRejected` for a value that names nothing.
   */
  readonly segments?: Partial<Record<keyof I, Segment>>
  readonly input: I
  readonly output: O
  /** Kind of answer that means success. Default: 'json'. */
  readonly answer?: AnswerKind
  /** Statuses that mean success. Default: 200 to 299; for a redirect 300 to 399. */
  readonly statuses?: readonly number[]
  /**
   * How this endpoint's answers look when the app did nothing, at any status. Runs before the
   * connector's rules, and on the `after` page too.
   */
  readonly failure?: FailureRule | readonly FailureRule[]
  /**
   * A page to read after the action when the answer says too little; `location` follows the
   * redirect. `decode` receives this page's answer.
   */
  readonly after?: PageLine<F, I> | 'location'
  /** Kind of the `after` answer. Default: 'json'; 'page' for `location`. */
  readonly afterAnswer?: AnswerKind
  /** Source of this request's CSRF token; null: none. Default: the connector's; GET: none. */
  readonly csrf?: Csrf | null
  /**
   * Pages to read before the request is built, such as one that maps names to ids. `encode` and
   * `decode` get the results in `context.before`. Either one JSON page below the app's root, or up
   * to five named pages, each of which may use results of earlier ones.
   */
  readonly before?: `/${string}` | Readonly<Record<string, BeforePage<Filled<I>, EncodeContext, Parts>>>
  /**
   * Builds the request. Default: inputs that are not in the path become the query of a GET, else a
   * JSON body, under their own names.
   */
  readonly encode?: (input: Filled<I>, context: EncodeContext) => Parts
  /** Builds the output. Default: the answer's fields of the same names. */
  readonly decode?: (fields: Fields, context: DecodeContext<Filled<I>>) => { readonly [K in keyof O]: unknown }
}

/**
 * Turns an input into a path segment, a list (for a path that uses the input several times) or free
 * text. `origin` is the app's root.
 */
export type Segment = (value: string, origin: string) => string | readonly string[] | FreeText

/**
 * json: an object, whatever its content type (an array arrives as `{ items }`); for a write also an
 * empty body.
 * page: HTML, in `context.page`. redirect: 3xx, in `context.location`. empty: no body.
 * text: anything but HTML, in `context.text`.
 * any: any answer, redirects included. It proves nothing by itself: `after`, `decode` or
 * `verify.proof` decides.
 */
export type AnswerKind = 'json' | 'page' | 'redirect' | 'empty' | 'text' | 'any'

/** The request without its path. `query` and `form` drop undefined and null values. */
export interface Parts {
  readonly query?: Readonly<Record<string, unknown>>
  readonly form?: Readonly<Record<string, unknown>>
  readonly json?: unknown
  /** Multipart fields: texts and files. A list repeats its name; empty values are dropped. */
  readonly multipart?: Readonly<Record<string, unknown>>
  /** A file of the input that becomes the whole body. */
  readonly file?: unknown
  /**
   * Headers that a page's script could set, so none of the connection, browser or session. The
   * approver sees them.
   */
  readonly headers?: Readonly<Record<string, unknown>>
}

export interface EncodeContext {
  /** Where the app's list continues, from the caller's cursor; null on a first page. */
  readonly anchor: string | null
  /** Time of the request, for ranges such as "the last 30 days". */
  readonly now: Date
  /** Results of `before`: the JSON page's fields, or each page's result by its name. */
  readonly before: Fields
}

export interface DecodeContext<Input> extends EncodeContext {
  readonly input: Input
  /** Absolute root URL of the app, ending in a slash. */
  readonly origin: string
  readonly status: number
  /** Keys are lower case. Headers with session secrets, such as Set-Cookie, are left out. */
  readonly headers: Readonly<Record<string, string>>
  /** Body of a 'page' answer, else ''. */
  readonly page: string
  /** Body of a 'text' or 'any' answer, else ''. */
  readonly text: string
  /**
   * Path and query, relative to the app's root without a leading slash, of a redirect, of a 201's
   * new resource, or of the page a read was redirected to; else ''. An `after` page keeps it.
   */
  readonly location: string
  /** Builds `next_cursor` from the app's own continuation value; null stays null. */
  readonly cursor: (anchor: string | number | null) => string | null
}

/** The input as these functions receive it: validated, with defaults filled in. */
export type Filled<I extends TProperties> = Static<TObject<I>> & {
  [K in keyof I as I[K] extends { default: unknown } ? K : never]-?: Static<I[K]>
}

/** An endpoint without its type parameters, as the runtime handles it. */
export interface EndpointDefinition {
  readonly summary: string
  /** Absent in bundles from before aliases existed. */
  readonly aliases?: readonly string[]
  readonly label: string
  readonly brief: readonly string[]
  readonly effect: Effect | null
  readonly shownBy: readonly ShownBy[]
  readonly preview: readonly Preview[]
  readonly verify: Verify | null
  /** Null, or absent in bundles from before it existed: the default texts. */
  readonly approval?: ApprovalText | null
  readonly access: Access
  readonly confirm: boolean
  readonly credits: number
  readonly line: Line
  readonly host: string | null
  readonly segments: Readonly<Record<string, Segment | undefined>>
  readonly input: TObject
  readonly output: TObject
  readonly answer: AnswerKind
  /** Null, or absent in bundles from before the field existed: the default statuses. */
  readonly statuses?: readonly number[] | null
  readonly failure: FailureRule | null
  readonly after: Line | 'location' | null
  readonly afterAnswer: AnswerKind
  readonly csrf: Csrf | null | undefined
  /** Pages to read before the request is built; null: none. */
  readonly before: string | Readonly<Record<string, BeforePage<Input, EncodeContext, Parts>>> | null
  /** The form to submit; null: `encode` builds the request. */
  readonly form: FormDefinition | null
  readonly volatile: readonly Csrf[]
  encode(input: Input, context: EncodeContext): Parts
  decode(fields: Fields, context: DecodeContext<Input>): Record<string, unknown>
}

export interface FormDefinition extends Required<
  Omit<WholeForm<Line, Input, EncodeContext, string>, 'fields' | 'submit' | 'scripted'>
> {
  readonly fields: readonly string[] | null
  readonly submit: SubmitButton | null
  /** Absent in bundles of older kits. */
  readonly scripted?: readonly string[]
}

export type Input = Readonly<Record<string, unknown>>

/**
 * Declares one action of an app. Its id is folder plus export name; nothing else registers it.
 * Throws for a malformed request line, for `form` together with `encode`, and for a write that
 * takes any answer but declares none of `after`, `decode` and `verify.proof`.
 */
export function endpoint<
  I extends TProperties,
  O extends TProperties,
  const L extends string,
  const F extends string = never,
  const P extends string = never,
  const A extends ApprovalText = never,
>(spec: EndpointSpec<I, O, L, F, P, A>): EndpointDefinition {
  const line = parseLine(spec.request)
  const output = Object.keys(spec.output)
  const write = spec.access === 'write' ? spec : undefined
  const form = write?.form
  if (form && spec.encode) throw new Error(`"${spec.request}" has a form, so nothing is left to encode`)
  // An 'any' answer proves nothing by itself.
  const isTold = write?.answer !== 'any' || spec.after !== undefined || spec.decode !== undefined
  if (!isTold && !write?.verify?.proof)
    throw new Error(`"${spec.request}" takes any answer: declare after, decode, or verify with a proof`)
  return {
    summary: spec.summary,
    aliases: spec.aliases ?? [],
    label: spec.label,
    brief: spec.brief,
    effect: write ? write.effect : null,
    shownBy: write ? write.shownBy : [],
    preview: write?.preview ?? [],
    verify: write?.verify ?? null,
    approval: (write?.approval as ApprovalText | undefined) ?? null,
    access: spec.access,
    confirm: write?.confirm ?? false,
    credits: spec.credits ?? (write ? 3 : 1),
    line,
    host: spec.host ?? null,
    segments: spec.segments ?? {},
    input: Type.Object(spec.input, { additionalProperties: false, ...groupKeywords(spec, spec.input) }),
    output: Type.Object(spec.output, { additionalProperties: false }),
    answer: spec.answer ?? 'json',
    statuses: spec.statuses ?? null,
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
          ...(form.scripted && { scripted: form.scripted }),
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
      if (!isTold) throw new UnknownShape('an answer of any kind, so only verify tells')
      return Object.fromEntries(output.filter((name) => name in fields).map((name) => [name, fields[name]]))
    },
  }
}

/** How a user signs in. Pages are relative to the app's root. */
export interface SignIn {
  readonly page: string
  readonly who: {
    /** A page that only a signed-in user can read. */
    readonly page: string
    /** Reads the account from that page's text, by the app's own id; null when it shows none. */
    readonly account: (text: string) => { readonly id: string; readonly label: string } | null
  }
  /**
   * Other hosts that these pages link to or load from, such as a single sign-on service:
   * `https://accounts.example.com`. Default: none.
   */
  readonly hosts?: readonly string[]
  /** localStorage keys stored encrypted with the session, for `authorize` and `renew`. */
  readonly storage?: readonly string[]
}

/** An app: its identity, its address and how it reports failures. */
export interface ConnectorSpec {
  readonly name: string
  readonly description: string
  /** The role that the connected account needs, such as `host` or `team member`. */
  readonly role: string
  /** Search terms of the app's field, separated by spaces, such as `gym yoga class member`. */
  readonly topics?: string
  /**
   * Absolute root URL of the app, ending in a slash, where `{sandbox}` is replaced by the sandbox's
   * URL; or what to ask the user for when each account has its own address.
   */
  readonly origin: Origin
  /** Further hosts, by name: `{ api: 'https://api.example.com/' }`. They get the session too. */
  readonly hosts?: Readonly<Record<string, string>>
  /** Headers of every request that carry session tokens: `[session.token('access')]`. */
  readonly authorize?: readonly SessionFill[]
  /** How to refresh an expired session's tokens without the user. */
  readonly renew?: Renew
  /** Source of the CSRF token for requests other than GET, if the app requires one. */
  readonly csrf?: Csrf
  /** Where a user signs in, and how to read which account they signed in to. */
  readonly signIn: SignIn
  /** Kinds of entities whose ids endpoints take, keyed as in `id(…)` and `refTo(…)`. */
  readonly things: Readonly<Record<string, Thing>>
  /** For apps that reuse the same numeric ids across kinds of entities. */
  readonly numbered?: NumberedIds
  /** Rate limit in sends/s, within the app's own. Default: 20 per app, 2 per account. */
  readonly pacing?: { readonly perApp: number; readonly perAccount: number }
  /** Reads the app's version from a page, for canaries; null: not shown. Default: never. */
  readonly version?: (page: string) => string | null
  /** Classifies a failed answer; undefined: no failure. 429 and 5xx need no rule. */
  readonly failure: (answer: Answer) => Failure | undefined
  /** Endpoints, one file per resource (`import * as listings`), named as they are exported. */
  readonly endpoints: readonly Readonly<Record<string, EndpointDefinition>>[]
  /** Set by `connector`; absent in bundles of kits from before it existed. */
  readonly specVersion?: number
}

/**
 * Version of the connector format. Raise it when the gateway must treat bundles of older kits
 * differently, or when an older gateway cannot run bundles of this kit.
 */
export const specVersion = 3

export function connector(spec: ConnectorSpec): ConnectorSpec {
  return { ...spec, specVersion }
}
