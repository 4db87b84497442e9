import type { Answer } from '../kit/answer.ts'
import { isHtml } from '../kit/content-type.ts'
import { anyOf, given, header, jsonSays, pageHas } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { select } from '../kit/select.ts'
import { isFields } from '../kit/wire.ts'

/**
 * Answers of bot protection in front of an app, each recognised by signs that the app itself never
 * sends; a plain 403 is not one of them. Each vendor's block and human challenge differ; an answer
 * that shows neither matches no rule.
 */

const ray = { server: /^cloudflare$/, 'cf-ray': /./ }

export const cloudflare: FailureRule = anyOf([
  given({ status: 403, headers: ray }, header('cf-mitigated', /^challenge$/, 'captcha')),
  given(
    { status: 403, headers: { ...ray, 'cf-mitigated': null } },
    pageHas('#cf-error-details h1[data-translate="block_headline"]', 'blocked'),
  ),
])

/** Block and challenge differ only in `t`: `bv` blocks, `fe` is a captcha. */
export const dataDome: FailureRule = given(
  { status: 403, headers: { 'x-datadome': /^protected$/, 'x-dd-b': /^1$/ } },
  (answer) => {
    const kind = { bv: 'blocked', fe: 'captcha' } as const
    const said = dataDomeType(answer)
    return said === 'bv' || said === 'fe' ? { kind: kind[said] } : undefined
  },
)

function dataDomeType({ json, headers, text }: Answer): string | null | undefined {
  if (isFields(json))
    return typeof json['url'] === 'string' ? URL.parse(json['url'], 'https://app.invalid')?.searchParams.get('t') : null
  if (!isHtml(headers['content-type'] ?? '')) return null
  const found = select(text)
    .any('script')
    .flatMap((script) => /^\s*var dd=\{[^{}]*'t':'(\w+)'[^{}]*\}\s*;?\s*$/.exec(script.content())?.[1] ?? [])
  return found.length === 1 ? found[0] : null
}

export const akamai: FailureRule = anyOf([
  given(
    { status: 403, headers: { server: /^AkamaiGHost$/ } },
    pageHas('body > h1', 'blocked', { says: /^Access Denied$/ }),
  ),
  given({ status: 428, headers: { server: /^AkamaiGHost$/ } }, header('x-sec-cp', /^challenge$/, 'captcha')),
])

/** HUMAN (PerimeterX) sends no header of its own. */
export const human: FailureRule = given(
  { status: 403 },
  jsonSays((body) => pxAction(body) === 'b', 'blocked'),
  jsonSays((body) => pxAction(body) === 'c', 'captcha'),
  pageHas('head > meta[name="description"][content="px-block"]', 'blocked'),
  pageHas('head > meta[name="description"][content="px-captcha"]', 'captcha'),
)

function pxAction({ appId, uuid, blockScript }: Readonly<Record<string, unknown>>): string | null | undefined {
  if (typeof appId !== 'string' || !/^PX\w+$/.test(appId) || typeof uuid !== 'string') return undefined
  const script = typeof blockScript === 'string' ? URL.parse(blockScript, 'https://app.invalid') : null
  return script?.pathname.endsWith('/captcha.js') ? script.searchParams.get('a') : undefined
}

/** Reads are answered with status 200. */
export const imperva: FailureRule = given(
  { status: [200, 403], headers: { 'x-cdn': /^Imperva$/, 'x-iinfo': /./ } },
  pageHas('body > iframe#main-iframe[src^="/_Incapsula_Resource?SWUDNSAI=31&"]', 'blocked'),
  pageHas('body > iframe#main-iframe[src^="/_Incapsula_Resource?CWUDNSAI=23&"]', 'captcha'),
)

/** CloudFront's own errors are 403 too. Reads are challenged with 202. */
export const awsWaf: FailureRule = anyOf([
  given(
    { status: 403, headers: { server: /^CloudFront$/, 'x-cache': /^Error from cloudfront$/, 'x-amz-cf-id': /./ } },
    pageHas('body > h1 ~ p', 'blocked', { says: /^Request blocked\./ }),
  ),
  given({ status: 202 }, header('x-amzn-waf-action', /^challenge$/, 'captcha')),
  given({ status: 405 }, header('x-amzn-waf-action', /^captcha$/, 'captcha')),
])

/** Wordfence only blocks; a captcha comes from the app itself. */
export const wordfence: FailureRule = given(
  { status: 503, headers: { 'retry-after': null } },
  pageHas('body > h1', 'blocked', { says: /^Your access to this site has been limited by the site owner$/ }),
)
