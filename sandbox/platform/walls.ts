import { randomBytes } from 'node:crypto'
import { html, Html, type Part } from './html.ts'
import { json, page } from './replies.ts'
import type { Reply, WallName } from './types.ts'

/** What a bot wall stands before: nothing of the app's state changes. */
export interface Met {
  brand: string
  method: string
  /** Does the app's own script ask, rather than the address bar? */
  script: boolean
  url: URL
  /** `/slug/…`: where the check is finished, with the way back. */
  go: string
  /** The fields of the check, in a form that posts to `go`. */
  form: Html
}

/** A product that stands in front of apps: it turns away (`block`), or checks for a human (`check`). */
export interface Wall {
  block(met: Met): Reply
  /** Absent: the app checks on a page of its own. */
  check?(met: Met): Reply
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')
const digits = (count: number): string =>
  BigInt(`0x${hex(count)}`)
    .toString()
    .slice(0, count)
const uuid = (): string => crypto.randomUUID()

const bare = (title: string, head: Part, body: Part): Html =>
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>${title}</title>
      ${head}
    </head>
    <body>
      ${body}
    </body>
  </html>`

const sent = (reply: Reply, headers: Reply['headers']): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})

const cloudflare: Wall = {
  block: ({ brand }) => {
    const ray = hex(8)
    const body = html`<div id="cf-wrapper">
      <div id="cf-error-details">
        <h1 data-translate="block_headline">Sorry, you have been blocked</h1>
        <p>You are unable to access ${brand}</p>
        <p>Cloudflare Ray ID: <strong>${ray}</strong></p>
      </div>
    </div>`
    return sent(page(bare('Attention Required! | Cloudflare', '', body), 403), {
      server: 'cloudflare',
      'cf-ray': `${ray}-FRA`,
    })
  },
  check: ({ brand, form }) => {
    const ray = hex(8)
    const options = new Html(`<script>window._cf_chl_opt = { cType: 'managed', cRay: '${ray}' }</script>`)
    const body = html`<h1>${brand}</h1>
      <h2 id="challenge-running">Verify you are human by completing the action below.</h2>
      ${form}`
    return sent(page(bare('Just a moment...', options, body), 403), {
      server: 'cloudflare',
      'cf-ray': `${ray}-FRA`,
      'cf-mitigated': 'challenge',
    })
  },
}

/** `t` tells them apart: `bv` is turned away, `fe` may solve the check. */
function datadome({ script, go, form }: Met, t: 'bv' | 'fe'): Reply {
  const cid = randomBytes(30).toString('base64url')
  const query = `initialCid=${cid}&hash=${hex(8).toUpperCase()}&t=${t}&s=41738`
  const headers = { 'x-datadome': 'protected', 'x-dd-b': '1', 'set-cookie': `datadome=${cid}; Path=/; SameSite=Lax` }
  const away = `https://geo.captcha-delivery.example/captcha/?${query}`
  const url = t === 'bv' ? away : `${go}${go.includes('?') ? '&' : '?'}${query}`
  if (script) return sent(json({ url }, 403), headers)
  const dd = new Html(
    `<script data-cfasync="false">var dd={'rt':'c','cid':'${cid}','t':'${t}','s':41738,'host':'geo.captcha-delivery.example'}</script>`,
  )
  const wall = html`<p id="cmsg">Please enable JS and disable any ad blocker</p>
    ${dd}${t === 'fe' && form}`
  return sent(page(bare('captcha-delivery', '', wall), 403), headers)
}

const akamai: Wall = {
  block: ({ url }) => {
    const reference = `18.${hex(4)}.${digits(10)}.${hex(4)}`
    const body = html`<h1>Access Denied</h1>
      You don't have permission to access "${url.href}" on this server.
      <p>Reference #${reference}</p>
      <p>https://errors.edgesuite.example/${reference}</p>`
    return sent(page(bare('Access Denied', '', body), 403), { server: 'AkamaiGHost', 'mime-version': '1.0' })
  },
  check: ({ script, go, form }) => {
    const headers = { server: 'AkamaiGHost', 'x-sec-cp': 'challenge' }
    const told = { 'sec-cp-challenge': 'true', provider: 'crypto', branding_url_content: go, chlg_duration: 30 }
    if (script) return sent(json(told, 428), headers)
    const body = html`<div id="sec-cpt-if" class="crypto" data-duration="30">${form}</div>`
    return sent(page(bare('Challenge Validation', '', body), 428), headers)
  },
}

/** `a` of `blockScript` tells them apart: `b` is turned away, `c` may solve the check. */
function human({ script, url, go, form }: Met, action: 'b' | 'c'): Reply {
  const [appId, id] = ['PXk4Vd9Qz1', uuid()]
  const told = {
    appId,
    jsClientSrc: '/k4Vd9Qz1/init.js',
    firstPartyEnabled: true,
    uuid: id,
    hostUrl: '/k4Vd9Qz1/xhr',
    blockScript: `/k4Vd9Qz1/captcha/captcha.js?a=${action}&u=${id}&v=&m=${url.pathname.length % 2}`,
    ...(action === 'c' ? { captchaUrl: go } : {}),
  }
  if (script) return json(told, 403)
  const head = new Html(`<meta name="description" content="px-${action === 'c' ? 'captcha' : 'block'}" />
      <script>window._pxAppId = '${appId}'; window._pxUuid = '${id}'; window._pxAction = '${action}'</script>
      <script src="${told.blockScript}"></script>`)
  const wall = html`<div id="px-captcha-wrapper">
    <p>Access to this page has been denied</p>
    ${action === 'c' && html`<div id="px-captcha">${form}</div>`}
    <p>Reference ID ${id}</p>
  </div>`
  return page(bare('Access to this page has been denied', head, wall), 403)
}

/** Reads and pages are answered with 200, whatever it decided; only a write gets a status that says no. */
function imperva({ method, form }: Met, sign: 'SWUDNSAI=31' | 'CWUDNSAI=23'): Reply {
  const incident = `${digits(15)}-${digits(16)}`
  const source = `/_Incapsula_Resource?${sign}&incident_id=${incident}&edet=${sign.startsWith('S') ? 15 : 12}&cinfo=04`
  const wall = html`<iframe id="main-iframe" src="${source}" frameborder="0" width="100%"
      >Request unsuccessful. Incapsula incident ID: ${incident}</iframe
    >${sign.startsWith('C') && form}`
  const head = new Html('<meta name="ROBOTS" content="NOINDEX, NOFOLLOW" />')
  return sent(page(bare('', head, wall), method === 'GET' ? 200 : 403), {
    'x-cdn': 'Imperva',
    'x-iinfo': `9-${digits(8)}-0 0NNN RT(${digits(13)} 0) q(0 -1 -1 1) r(0 -1) B15(4,200,0) U6`,
  })
}

const awsWaf: Wall = {
  block: () => {
    const id = randomBytes(42).toString('base64url')
    const body = html`<h1>403 ERROR</h1>
      <h2>The request could not be satisfied.</h2>
      <p>Request blocked. We can't connect to the server for this app or website at this time.</p>
      <pre>Generated by cloudfront (CloudFront) Request ID: ${id}</pre>`
    return sent(page(bare('ERROR: The request could not be satisfied', '', body), 403), {
      server: 'CloudFront',
      'x-cache': 'Error from cloudfront',
      'x-amz-cf-id': id,
    })
  },
  // The silent challenge has 202, which would look like a done write: writes get the puzzle, 405.
  check: ({ method, form }) => {
    const action = method === 'GET' ? 'challenge' : 'captcha'
    const head = new Html('<script>window.gokuProps = { key: "AQIDAHjc", iv: "CgAHXyZm", context: "K9bA" }</script>')
    return sent(
      page(
        bare('Human Verification', head, html`<div id="captcha-container">${form}</div>`),
        method === 'GET' ? 202 : 405,
      ),
      { server: 'awselb/2.0', 'x-amzn-waf-action': action },
    )
  },
}

const wordfence: Wall = {
  block: () =>
    page(
      bare(
        'Your access to this site has been limited',
        '',
        html`<h1>Your access to this site has been limited by the site owner</h1>
          <table>
            <tr>
              <th>Block Reason:</th>
              <td>Access from your area has been temporarily limited for security reasons</td>
            </tr>
          </table>
          <p>Generated by Wordfence at ${new Date().toUTCString()}.</p>`,
      ),
      503,
    ),
}

export const walls: Record<WallName, Wall> = {
  cloudflare,
  datadome: { block: (met) => datadome(met, 'bv'), check: (met) => datadome(met, 'fe') },
  akamai,
  human: { block: (met) => human(met, 'b'), check: (met) => human(met, 'c') },
  imperva: { block: (met) => imperva(met, 'SWUDNSAI=31'), check: (met) => imperva(met, 'CWUDNSAI=23') },
  awsWaf,
  wordfence,
}
