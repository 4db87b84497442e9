import { expect, test } from 'vitest'
import { akamai, awsWaf, cloudflare, dataDome, human, imperva, wordfence } from '../../connectors/failures/walls.ts'
import { verdict } from './verdict.ts'
import type { Said } from './verdict.ts'

/** What each wall answers, and what looks like it and is an app's own answer, a done write among them. */

const cf = { server: 'cloudflare', 'cf-ray': '1-FRA' }
const cfPage = '<div id="cf-error-details"><h1 data-translate="block_headline">Sorry, you have been blocked</h1></div>'
const dd = { 'x-datadome': 'protected', 'x-dd-b': '1' }
const ddScript = (type: string) => `<script>var dd={'rt':'c','t':'${type}','s':1}</script>`
const px = { appId: 'PX1', uuid: 'u', blockScript: '/x/captcha.js?a=b&u=1' }
const inc = { 'x-cdn': 'Imperva', 'x-iinfo': '9' }
const incPage = (what: string) => `<iframe id="main-iframe" src="/_Incapsula_Resource?${what}&amp;edet=1"></iframe>`
const front = { server: 'CloudFront', 'x-cache': 'Error from cloudfront', 'x-amz-cf-id': 'a' }
const limited = '<h1>Your access to this site has been limited by the site owner</h1>'

const walls = { akamai, awsWaf, cloudflare, dataDome, human, imperva, wordfence }

test.each<[keyof typeof walls, Said, string, readonly Said[]]>([
  [
    'cloudflare',
    { status: 403, headers: cf, body: cfPage },
    'blocked',
    [
      { headers: cf, body: cfPage },
      { status: 403, body: cfPage },
      { status: 403, headers: cf, body: '<h1>Forbidden</h1>' },
      { status: 403, headers: cf, body: { message: cfPage } },
    ],
  ],
  [
    'cloudflare',
    { status: 403, headers: { ...cf, 'cf-mitigated': 'challenge' }, body: cfPage },
    'captcha',
    [
      { headers: { ...cf, 'cf-mitigated': 'challenge' } },
      { status: 403, headers: { ...cf, 'cf-mitigated': 'none' }, body: cfPage },
      { status: 403, headers: cf, body: '<title>Just a moment...</title>' },
    ],
  ],
  [
    'dataDome',
    { status: 403, headers: dd, body: { url: 'https://geo.example/captcha/?hash=t%3Dfe&t=bv' } },
    'blocked',
    [
      { headers: dd, body: { url: 'https://geo.example/captcha/?t=bv' } },
      { status: 403, body: { url: 'https://geo.example/captcha/?t=bv' } },
      { status: 403, headers: dd, body: { url: 'https://geo.example/captcha/?t=it' } },
      { status: 403, headers: dd, body: { url: 7 } },
      { status: 403, headers: dd, body: { error: 'not yours' } },
    ],
  ],
  [
    'dataDome',
    { status: 403, headers: dd, body: ddScript('fe') },
    'captcha',
    [
      { status: 403, headers: dd, body: `<p>var dd={'t':'fe'}</p>` },
      { status: 403, headers: dd, body: ddScript('fe') + ddScript('bv') },
      { headers: dd, body: ddScript('fe') },
    ],
  ],
  [
    'akamai',
    { status: 403, headers: { server: 'AkamaiGHost' }, body: '<h1>Access Denied</h1><p>Reference #18.1' },
    'blocked',
    [
      { status: 403, body: '<h1>Access Denied</h1>' },
      { headers: { server: 'AkamaiGHost' }, body: '<h1>Access Denied</h1>' },
      { status: 403, headers: { server: 'AkamaiGHost' }, body: '<main><h1>Access Denied</h1></main>' },
    ],
  ],
  [
    'akamai',
    { status: 428, headers: { server: 'AkamaiGHost', 'x-sec-cp': 'challenge' }, body: {} },
    'captcha',
    [
      { status: 428, headers: { server: 'AkamaiGHost' }, body: { 'sec-cp-challenge': 'true' } },
      { headers: { server: 'AkamaiGHost', 'x-sec-cp': 'challenge' }, body: {} },
    ],
  ],
  [
    'human',
    { status: 403, body: px },
    'blocked',
    [
      { body: px },
      { status: 403, body: { ...px, appId: 'app' } },
      { status: 403, body: { ...px, blockScript: '/x/captcha.js?a=z' } },
      { status: 403, body: { ...px, blockScript: '/x/other.js?a=b' } },
      { status: 403, body: '<main><meta name="description" content="px-block"></main>' },
    ],
  ],
  [
    'human',
    { status: 403, body: '<meta name="description" content="px-captcha">' },
    'captcha',
    [{ body: '<meta name="description" content="px-captcha">' }, { status: 403, body: '<p>px-captcha</p>' }],
  ],
  [
    'imperva',
    { headers: inc, body: incPage('SWUDNSAI=31') },
    'blocked',
    [
      { body: incPage('SWUDNSAI=31') },
      { headers: inc, body: '<main>Request unsuccessful. Incapsula incident ID: 1</main>' },
      { headers: inc, body: incPage('other=1') },
      { headers: inc, body: { text: incPage('SWUDNSAI=31') } },
      { status: 201, headers: inc, body: incPage('SWUDNSAI=31') },
    ],
  ],
  [
    'imperva',
    { status: 403, headers: inc, body: incPage('CWUDNSAI=23') },
    'captcha',
    [{ status: 404, headers: inc, body: incPage('CWUDNSAI=23') }],
  ],
  [
    'awsWaf',
    { status: 403, headers: front, body: '<h1>403 ERROR</h1><h2>no</h2><p>Request blocked. We' },
    'blocked',
    [
      { status: 403, headers: front, body: '<h1>403 ERROR</h1><h2>no</h2><p>Bad request. We' },
      { status: 403, body: '<h1>403 ERROR</h1><h2>no</h2><p>Request blocked. We' },
      { headers: front, body: '<h1>403 ERROR</h1><p>Request blocked. We' },
    ],
  ],
  [
    'awsWaf',
    { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } },
    'captcha',
    [
      { status: 202, body: {} },
      { status: 200, headers: { 'x-amzn-waf-action': 'challenge' } },
      { status: 202, headers: { 'x-amzn-waf-action': 'count' } },
      { status: 405, headers: { allow: 'GET' } },
    ],
  ],
  [
    'wordfence',
    { status: 503, body: limited },
    'blocked',
    [
      { body: limited },
      { status: 503, headers: { 'retry-after': '5' }, body: limited },
      { status: 503, body: '<h1>Briefly unavailable for scheduled maintenance.</h1>' },
      { status: 503, body: { message: limited } },
    ],
  ],
])('%s: %j is %s', (wall, it, kind, others) => {
  expect(verdict(walls[wall], it)).toBe(kind)
  expect(others.map((one) => verdict(walls[wall], one))).toEqual(others.map(() => undefined))
})
