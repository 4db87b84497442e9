import type { Trace, TracedExchange } from '../trace.ts'

/** A step of a trace that is not part of the action, and why. */
export interface LeftOut {
  /** Counted from 1. */
  readonly step: number
  readonly why: string
}

/** The exchange that a trace was recorded for. */
export interface Chosen {
  /** Index in the trace, from 0. */
  readonly at: number
  readonly leftOut: readonly LeftOut[]
}

const noisy =
  /^(?:analytics?|collect|track(?:ing)?|telemetry|beacon|metrics?|ping|heartbeat|keep-?alive|autosave|save-?draft.*|draft|jsi18n|set-?lang(?:uage)?|csp-report|sentry|presence|poll(?:ing)?|unread.*|mark-?read|log|events?\/batch|rum|stats)$/i

/** The trace's action: the last non-GET request, else the last page or JSON. Throws if none. */
export function chosenOf(trace: Trace, step?: number): Chosen {
  const { exchanges } = trace
  if (step !== undefined) {
    if (exchanges[step - 1] === undefined) throw new Error(`there is no step ${step}: it has ${exchanges.length}`)
    return { at: step - 1, leftOut: [] }
  }
  const leftOut = exchanges.flatMap((one, at) => {
    const why = noiseOf(one, trace)
    return why === undefined ? [] : [{ step: at + 1, why }]
  })
  const left = new Set(leftOut.map((one) => one.step - 1))
  const own = exchanges.map((one, at) => ({ one, at })).filter(({ at }) => !left.has(at))
  const writes = own.filter(({ one }) => one.request.method !== 'GET')
  const write = writes.findLast(({ one }) => one.answer.status < 400) ?? writes.at(-1)
  const at = (write ?? readOf(own, trace.name))?.at
  if (at === undefined)
    throw new Error(`nothing of ${trace.name} is an action: all ${exchanges.length} steps are left out`)
  return { at, leftOut }
}

interface Placed {
  readonly one: TracedExchange
  readonly at: number
}

/** The last page; if it is an empty shell, or not named like the action, the largest JSON. */
function readOf(own: readonly Placed[], name: string): Placed | undefined {
  const answered = own.filter(({ one: { answer } }) => answer.status === 200 && (answer.text ?? '') !== '')
  const page = answered.findLast(({ one }) => one.by !== 'script' && kindOf(one) === 'page')
  const json = answered.filter(({ one, at }) => kindOf(one) === 'json' && at > (page?.at ?? -1))
  const bySize = json.toSorted((a, b) => sizeOf(b.one) - sizeOf(a.one))
  const meant = bySize.find(({ one }) => isCalled(one, name))
  if (meant !== undefined && (page === undefined || !isCalled(page.one, name))) return meant
  const [largest] = bySize
  if (largest === undefined) return page ?? answered.at(-1)
  const shown = page?.one.answer.text?.replaceAll(/<(script|style|template|head)\b.*?<\/\1\s*>|<[^>]*>/gis, ' ') ?? ''
  return shown.replaceAll(/\s+/g, ' ').length < 400 || page === undefined ? largest : page
}

/** Whether a URL contains the noun of an endpoint's name: `comments` for `list_comments`. */
function isCalled({ request }: TracedExchange, name: string): boolean {
  const [noun] = wordsOf(name.replace(/^[a-z]+_/, '')).slice(-1)
  return noun !== undefined && new URL(request.url).pathname.toLowerCase().includes(noun)
}

const sizeOf = ({ answer }: TracedExchange): number => answer.text?.length ?? 0

function noiseOf({ request, answer, by }: TracedExchange, { name, origin, exchanges }: Trace): string | undefined {
  const url = URL.parse(request.url)
  const root = new URL(origin)
  if (url === null || url.origin !== root.origin || !`${url.pathname}/`.startsWith(root.pathname))
    return 'not of the app'
  const word = url.pathname.split('/').find((part) => noisy.test(part))
  if (word !== undefined && !wordsOf(name).some((own) => word.toLowerCase().includes(own)))
    return `looks like ${kindOfNoise(word)}`
  const alike = exchanges.filter(
    (one) => one.by === 'script' && one.request.method === request.method && one.request.url === request.url,
  )
  if (by === 'script' && alike.length > 2) return 'is asked again and again'
  return answer.status === 0 ? 'has no answer' : undefined
}

const wordsOf = (name: string): readonly string[] => name.split('_').filter((word) => word.length > 3)

function kindOfNoise(word: string): string {
  if (/draft|autosave/i.test(word)) return 'saving by itself'
  return /lang|i18n/i.test(word) ? 'settings of the language' : 'counting, looking for news'
}

/** The kind of an answer, by its type or its text. */
export function kindOf({ answer }: Pick<TracedExchange, 'answer'>): 'page' | 'json' | 'redirect' | 'other' {
  const { status, headers, text } = answer
  if (status >= 300 && status < 400 && headers['location'] !== undefined) return 'redirect'
  const type = headers['content-type'] ?? ''
  if (/\bhtml\b/i.test(type)) return 'page'
  if (/[/+]json\b/i.test(type) || status === 204) return 'json'
  return type === '' && /^\s*</.test(text ?? '') ? 'page' : 'other'
}

/** Path segments below the app's root, undecoded; undefined for a URL elsewhere. */
export function segmentsOf(address: string, origin: string): readonly string[] | undefined {
  const [url, root] = [URL.parse(address, origin), new URL(origin)]
  if (url === null || url.origin !== root.origin || !`${url.pathname}/`.startsWith(root.pathname)) return undefined
  return url.pathname.slice(root.pathname.length).split('/')
}

/** The word before the number, as in issue12 and issue7; undefined: none, or all equal. */
export function wordOfNumbers(segments: readonly string[]): string | undefined {
  const [word, ...others] = segments.map((one) => /^([a-z]{2,}[-_]?)\d+$/i.exec(one)?.[1])
  return new Set(segments).size > 1 && others.every((one) => one === word) ? word : undefined
}

/** Number of segments that two URLs share. */
export function alikeIn(own: readonly string[], other: readonly string[]): number {
  return own.filter((part, at) => part === other[at] || wordOfNumbers([part, other[at] ?? '']) !== undefined).length
}

/** Index of the matching exchange in another run; undefined: none. */
export function sameIn(other: Trace, wanted: TracedExchange, origin: string): number | undefined {
  const path = segmentsOf(wanted.request.url, origin) ?? []
  const likeness = other.exchanges.map((one, at) => {
    const own = segmentsOf(one.request.url, other.origin)
    const isOther = one.request.method !== wanted.request.method || one.by !== wanted.by
    if (isOther || own?.length !== path.length) return { at, alike: -1 }
    return { at, alike: alikeIn(own, path) + (kindOf(one) === kindOf(wanted) ? 0.5 : 0) }
  })
  const best = likeness.reduce((a, b) => (b.alike >= a.alike ? b : a), { at: -1, alike: -1 })
  const constant = path.length <= 2 ? 0 : 1
  return best.alike < constant || best.at < 0 ? undefined : best.at
}
