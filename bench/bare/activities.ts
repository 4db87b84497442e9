import { Agent, request as send } from 'undici'

export interface BareRequest {
  readonly url: string
  readonly cookie: string
}

/** Only the request, over kept-alive connections; checks nothing but the status. */
export function bareActivities() {
  const dispatcher = new Agent({ connections: 32 })
  return {
    async request({ url, cookie }: BareRequest): Promise<number> {
      const { statusCode, body } = await send(url, { headers: { cookie, accept: 'application/json' }, dispatcher })
      await body.json()
      if (statusCode !== 200) throw new Error(`the app answered ${statusCode}`)
      return statusCode
    },
    /** The requests of `reply_to_contact`: the page with the CSRF token, then the form. */
    async reply({ url, cookie }: BareRequest): Promise<number> {
      const page = await (await send(url, { headers: { cookie }, dispatcher })).body.text()
      const token = /name="authenticity" value="([^"]+)"/.exec(page)?.[1] ?? ''
      const { statusCode, body } = await send(`${url}/reply`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ authenticity: token, text: 'From the bare engine' }).toString(),
        dispatcher,
      })
      await body.dump()
      if (statusCode !== 303) throw new Error(`the app answered ${statusCode}`)
      return statusCode
    },
  }
}

export type BareActivities = ReturnType<typeof bareActivities>
