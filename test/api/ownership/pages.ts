import { app } from './things.ts'
import type { Things } from './things.ts'

type Form = Readonly<Record<string, string>>

/** What an address of a page does for whom. */
export interface PageRule {
  /**
   * Who sees it. Everybody: the same for all, but for their own menu. Person: who is signed in sees their own, others are sent to sign in.
   * Owner: its name is that of a thing of theirs, 404 for everybody else.
   */
  readonly get?: 'everybody' | 'person' | 'owner'
  /** The status for who is not signed in, where it is not 303 to the sign-in page. */
  readonly unknown?: number
  /** Addresses of it that name things; a stranger gets the same for another's as for what there is not. */
  readonly at?: (things: Things) => readonly string[]
  /**
   * What its form may name: a stranger gets the same for another's things as for what there is not, and changes nothing of theirs.
   * `person`: who is not signed in gets 403. `everybody`: it takes the token of the sign-in page.
   */
  readonly post?: 'person' | 'everybody'
  readonly forms?: (things: Things) => readonly Form[]
}

/** A program that registered: it is nobody's. */
export const program = 'client_of_nobody'
const place = `/play/${app}/list_listings`
const ticked = (id: string): string => `${id} ${'0'.repeat(64)}`

/** Every address of web/routes.ts. */
export const pageRules: Readonly<Record<string, PageRule>> = {
  '/': { get: 'person', unknown: 200 },
  '/waiting': {
    get: 'person',
    post: 'person',
    forms: ({ waiting }) => ['approve', 'reject'].map((decision) => ({ decision, call: ticked(waiting) })),
  },
  '/waiting/count': { get: 'person', unknown: 403 },
  '/waiting/news': { get: 'person', unknown: 403 },
  '/calls': { get: 'person' },
  '/calls.csv': { get: 'person' },
  '/calls/:call': {
    get: 'owner',
    at: ({ waiting, unknown, running }) => [waiting, unknown, running].map((id) => `/calls/${id}`),
    post: 'person',
    forms: () => ['cancel', 'happened', 'did-not-happen'].map((action) => ({ action })),
  },
  '/calls/:call/events': { get: 'owner', unknown: 404, at: ({ waiting }) => [`/calls/${waiting}/events`] },
  '/apps': { get: 'person' },
  '/apps/:app': {
    get: 'person',
    at: () => [`/apps/${app}`],
    post: 'person',
    forms: ({ account }) => [
      { action: 'disconnect', account },
      { action: 'lift', pause: `${account} list_contacts` },
      { action: 'agree-watch', watch: 'none' },
      { action: 'scope', mode: 'read' },
      { action: 'confirm', 'confirm.reply_to_contact': 'no', 'expiry.reply_to_contact': '' },
    ],
  },
  '/keys': { get: 'person', post: 'person', forms: () => [{ name: 'Mine', days: '', all: 'yes' }] },
  '/keys/:key': {
    at: ({ key }) => [`/keys/${key}`],
    post: 'person',
    forms: () => [
      { action: 'revoke' },
      { action: 'apps', all: 'yes' },
      { action: 'actions', shown: app },
      { action: 'rotate', hours: '0' },
    ],
  },
  '/keys/:key/actions': { get: 'owner', at: ({ key }) => [`/keys/${key}/actions`] },
  '/credits': { get: 'person', post: 'person', forms: () => [{ plan: 'medium' }] },
  '/usage': { get: 'person' },
  '/account': {
    get: 'person',
    post: 'person',
    forms: () => [{ action: 'password', current: 'x', new: 'y', again: 'z' }],
  },
  '/account/export': { post: 'person', forms: () => [{}] },
  '/account/erase': { post: 'person', forms: () => [{ email: 'olivia@example.com' }] },
  '/account/email': {
    get: 'person',
    post: 'person',
    forms: () => [{ action: 'change', email: 'olivia@example.com' }, { action: 'cancel' }],
  },
  '/account/email/:token': {
    get: 'owner',
    at: ({ emailLink }) => [`/account/email/${emailLink}`],
    post: 'person',
    forms: () => [{}],
  },
  '/account/totp': {
    get: 'person',
    post: 'person',
    forms: () => [{ action: 'confirm', code: '123456' }, { action: 'remove' }],
  },
  '/account/theme': { post: 'person', forms: () => [{ theme: 'dark' }] },
  '/account/passkey': { post: 'person', forms: () => [{ name: 'Mine', credential: '{}' }] },
  '/account/passkey/options': { post: 'person', forms: () => [{ name: 'Mine', password: 'wrong' }] },
  '/account/again/options': { post: 'person', forms: () => [{}] },
  '/account/passkeys-only': {
    post: 'person',
    forms: () => ['on', 'codes'].map((action) => ({ action })),
  },
  '/account/proof': { post: 'person', forms: () => [{}] },
  '/account/passkeys/:passkey': {
    at: ({ passkey }) => [`/account/passkeys/${passkey}`],
    post: 'person',
    forms: () => [{ action: 'remove' }],
  },
  '/notices': {
    get: 'person',
    post: 'person',
    forms: () => [
      { action: 'add', url: 'https://hooks.example.com/x', kind: 'call.final' },
      { action: 'email-off' },
      { action: 'quiet-off' },
    ],
  },
  '/notices/:target': {
    get: 'owner',
    at: ({ webhook, device }) => [webhook, device].map((id) => `/notices/${id}`),
    post: 'person',
    forms: () => ['test', 'off', 'on', 'secret', 'save', 'delete'].map((action) => ({ action })),
  },
  '/standing': { get: 'person' },
  '/standing/new': {
    get: 'person',
    at: ({ account }) => [`/standing/new?app=${app}&endpoint=reply_to_contact&account=${account}`],
    post: 'person',
    forms: ({ account }) => [{ app, endpoint: 'reply_to_contact', account, per_day: '3' }],
  },
  '/standing/:standing': {
    get: 'owner',
    at: ({ standing }) => [`/standing/${standing}`],
    post: 'person',
    forms: () => [{ action: 'revoke' }],
  },
  '/people': { get: 'person', post: 'person', forms: () => [{ email: 'somebody@example.com' }] },
  '/people/:invitation': {
    at: ({ invitation }) => [`/people/${invitation}`],
    post: 'person',
    forms: () => [{ action: 'revoke' }],
  },
  '/play': { get: 'person' },
  '/play/:app/:endpoint': {
    get: 'person',
    at: () => [place],
    post: 'person',
    forms: ({ key, account }) => [
      { action: 'run', key, account },
      { action: 'code', key, account },
    ],
  },
  '/oauth/authorize': {
    get: 'person',
    at: () => [
      `/oauth/authorize?client_id=${program}&response_type=code&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256`,
    ],
    post: 'person',
    forms: () => [{ request: 'client_id=client_nobody', decision: 'allow', rights: 'write', all: 'yes' }],
  },
  '/docs': { get: 'everybody' },
  '/docs/start': { get: 'everybody' },
  '/docs/search': { get: 'everybody', at: () => ['/docs/search?q=refund'] },
  '/docs/mcp': { get: 'everybody' },
  '/docs/webhooks': { get: 'everybody' },
  '/docs/connectors': { get: 'everybody' },
  '/docs/errors': { get: 'everybody' },
  '/docs/errors/:code': { get: 'everybody', at: () => ['/docs/errors/unknown_call'] },
  '/clients': { get: 'everybody' },
  '/docs/:app': { get: 'everybody', at: () => [`/docs/${app}`] },
  '/login': { get: 'everybody', post: 'everybody', forms: () => [{ email: 'a@b.c', password: 'x' }] },
  '/login/code': { get: 'everybody', post: 'everybody', forms: () => [{ code: '123456' }] },
  '/login/passkey': { post: 'everybody', forms: () => [{ credential: '{}' }] },
  '/recover': { get: 'everybody', post: 'everybody', forms: () => [{ credential: '{}' }] },
  '/recover/options': { post: 'everybody', forms: () => [{ email: 'a@b.c', recovery_code: 'x', name: 'Mine' }] },
  '/login/passkey/options': { post: 'everybody', forms: () => [{}] },
  '/forgot': { get: 'everybody', post: 'everybody', forms: () => [{ email: 'olivia@example.com' }] },
  '/forgot/:token': {
    get: 'everybody',
    at: () => [`/forgot/${'x'.repeat(43)}`],
    post: 'everybody',
    forms: () => [{ new: 'a long password', again: 'a long password' }],
  },
  '/email/:token': {
    get: 'everybody',
    at: () => [`/email/${'x'.repeat(43)}`],
    post: 'everybody',
    forms: () => [{}],
  },
  // Whoever has the link may use it, and its id is not the link.
  '/invitation/:token': {
    get: 'everybody',
    at: ({ invitation }) => [`/invitation/${invitation}`],
    post: 'everybody',
    forms: () => [{ new: 'a long password', again: 'a long password' }],
  },
  '/logout': { post: 'everybody', forms: () => [] },
  '/confirm/:call': {
    get: 'owner',
    at: ({ waiting }) => [`/confirm/${waiting}`],
    post: 'person',
    forms: () => ['approve', 'reject'].map((decision) => ({ decision, approval_hash: '0'.repeat(64) })),
  },
  '/confirm/:call/passkey/options': {
    at: ({ waiting }) => [`/confirm/${waiting}/passkey/options`],
    post: 'person',
    forms: () => [{ approval_hash: 'x', decision: 'approve' }],
  },
  '/confirm/:call/files/:place': { get: 'owner', at: ({ waiting }) => [`/confirm/${waiting}/files/photo`] },
  '/connect/:app': {
    get: 'person',
    at: ({ account, waiting }) => [
      `/connect/${app}`,
      `/connect/${app}?account=${account}`,
      `/connect/${app}?call=${waiting}`,
    ],
  },
  '/record/:trace': { get: 'owner', at: ({ trace }) => [`/record/${trace}`] },
  '/access/:app': {
    get: 'owner',
    at: ({ key }) => [`/access/${app}?key=${key}`],
    post: 'person',
    forms: ({ key }) => [{ key }],
  },
  '/assets/:asset': { get: 'everybody', at: () => ['/assets/style.css'] },
  '/manifest.webmanifest': { get: 'everybody' },
  '/worker.js': { get: 'everybody' },
}
