/** The Temporal UI's own API, as its pages ask it, through the port that operators know. */
export class UiApi {
  /** Of runs, in a namespace. */
  readonly runs: string
  readonly origin: string

  constructor(origin: string, namespace: string) {
    this.origin = origin
    this.runs = `${origin}/api/v1/namespaces/${namespace}/workflows`
  }

  /** What the list shows for a filter: ids, attributes and memos. */
  async list(query: string): Promise<readonly UiRun[]> {
    const { executions = [] } = await this.#get<{ executions?: RawRun[] }>(`?query=${encodeURIComponent(query)}`)
    return executions.map(({ execution, searchAttributes, memo }) => ({
      id: execution.workflowId,
      attributes: decodeAll(searchAttributes?.indexedFields),
      memo: decodeAll(memo?.fields),
    }))
  }

  /** The fixed lines over a run. */
  async summary(id: string): Promise<{ readonly summary: unknown; readonly details: unknown }> {
    const { executionConfig } = await this.#get<{ executionConfig: { userMetadata: Metadata } }>(`/${id}`)
    const { summary, details } = executionConfig.userMetadata
    return { summary: summary && decode(summary), details: details && decode(details) }
  }

  async events(id: string): Promise<readonly UiEvent[]> {
    const { history } = await this.#get<{ history: { events: (RawEvent & UiEvent)[] } }>(`/${id}/history`)
    return history.events.map(({ userMetadata, ...event }) => ({
      ...event,
      ...(userMetadata?.summary && { summary: decode(userMetadata.summary) }),
    }))
  }

  /** What a run says of itself: its details now, and what it may be told. */
  async metadata(id: string): Promise<UiMetadata> {
    const page = await fetch(this.origin)
    await page.text()
    const csrf = /_csrf=([^;]+)/.exec(page.headers.get('set-cookie') ?? '')?.[1] ?? ''
    const answer = await fetch(`${this.runs}/${id}/query/__temporal_workflow_metadata`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Origin: this.origin,
        Cookie: `_csrf=${csrf}`,
        'X-CSRF-Token': csrf,
      },
      body: JSON.stringify({ query: { queryType: '__temporal_workflow_metadata' } }),
    })
    if (!answer.ok) throw new Error(`the UI answered ${answer.status} ${await answer.text()}`)
    const { queryResult } = (await answer.json()) as { queryResult: { payloads: Payload[] } }
    return decode(queryResult.payloads[0]) as UiMetadata
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.runs}${path}`)
    if (!answer.ok) throw new Error(`the UI answered ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
}

export interface UiRun {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly memo: Readonly<Record<string, unknown>>
}

export interface UiEvent {
  readonly eventType: string
  readonly summary?: unknown
  readonly workflowExecutionSignaledEventAttributes?: { readonly signalName: string }
}

export interface UiMetadata {
  readonly currentDetails: string
  readonly definition: {
    readonly signalDefinitions: readonly { readonly name: string; readonly description: string }[]
  }
}

interface Payload {
  readonly data: string
}
interface Metadata {
  readonly summary?: Payload
  readonly details?: Payload
}
interface RawEvent {
  readonly userMetadata?: Metadata
}
interface RawRun {
  readonly execution: { readonly workflowId: string }
  readonly searchAttributes?: { readonly indexedFields?: Readonly<Record<string, Payload>> }
  readonly memo?: { readonly fields?: Readonly<Record<string, Payload>> }
}

function decode(payload: Payload | undefined): unknown {
  return payload && JSON.parse(Buffer.from(payload.data, 'base64').toString())
}

function decodeAll(fields: Readonly<Record<string, Payload>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, payload]) => [name, decode(payload)]))
}
