import { app } from './things.ts'
import type { Things } from './things.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a route of the API answers to whom. */
export interface ApiRule {
  /** Whether it takes a key; the others are the same for all. */
  readonly key: boolean
  /** Requests that name somebody's things. */
  readonly at?: (things: Things) => readonly Request[]
  /** What such a request is refused with, for another's things as for made-up ones. */
  readonly refused?: readonly [status: number, code: string]
}

const get = (path: string): Request => ({ method: 'GET', path })

/** Every route below /api/v1 and /mcp, and the documents about them. */
export const apiRules: Readonly<Record<string, ApiRule>> = {
  '/.well-known/oauth-protected-resource': { key: false },
  '/.well-known/oauth-protected-resource/mcp': { key: false },
  '/.well-known/oauth-protected-resource/mcp/:app': { key: false },
  '/.well-known/oauth-authorization-server': { key: false },
  '/.well-known/oauth-authorization-server/mcp': { key: false },
  '/.well-known/oauth-authorization-server/mcp/:app': { key: false },
  // These take codes and tokens of a client instead: whose they may be is told in test/oauth.
  '/oauth/register': { key: false },
  '/oauth/token': { key: false },
  '/oauth/revoke': { key: false },
  '/openapi.json': { key: false },
  '/api/v1/openapi.json': { key: false },
  '/llms.txt': { key: false },
  '/server.json': { key: false },
  '/clients/:file': { key: false },
  '/api/v1/docs': { key: false },
  '/api/v1/docs/*page': { key: false },
  '/api/v1/apps': { key: false },
  '/api/v1/:app': { key: false },
  '/api/v1/:app/endpoints': { key: false },
  '/api/v1/:app/endpoints/:endpoint': { key: false },
  '/api/v1': { key: false },
  '/api/v1/*rest': { key: false },
  '/api/v1/calls': { key: true },
  '/api/v1/calls/:id': {
    key: true,
    at: ({ waiting, unknown, running }) =>
      [waiting, unknown, running].flatMap((id) => [
        get(`/api/v1/calls/${id}`),
        get(`/api/v1/calls/${id}?wait=1`),
        { method: 'DELETE', path: `/api/v1/calls/${id}` },
      ]),
    refused: [404, 'unknown_call'],
  },
  '/api/v1/calls/*rest': {
    key: true,
    at: ({ waiting }) => [get(`/api/v1/calls/${waiting}/more`)],
    refused: [404, 'not_found'],
  },
  '/api/v1/connections': { key: true },
  '/api/v1/usage': { key: true },
  '/api/v1/:app/:endpoint': {
    key: true,
    at: ({ account }) => [
      { ...get(`/api/v1/${app}/list_listings`), headers: { 'X-Callgate-Account': account } },
      {
        method: 'POST',
        path: `/api/v1/${app}/reply_to_contact`,
        body: { contact_id: 'c1', message: 'Hello' },
        headers: { 'X-Callgate-Account': account },
      },
    ],
    refused: [404, 'unknown_account'],
  },
  // What its tools do with another's things: toolRules.
  '/mcp': { key: true },
  '/mcp/:app': { key: true },
}

/** Every tool of /mcp, and arguments that name somebody's things. */
export const toolRules: Readonly<Record<string, (things: Things) => readonly Record<string, unknown>[]>> = {
  search_actions: () => [],
  get_action: () => [],
  list_connections: () => [],
  connect_app: ({ account }) => [{ app, account }],
  get_call: ({ waiting, unknown }) => [
    { call_id: waiting },
    { call_id: unknown, wait: 1 },
    { call_id: unknown, at: 'listings', from: 1, fields: ['listings'] },
  ],
  list_calls: () => [],
  cancel_call: ({ waiting, running }) => [{ call_id: waiting }, { call_id: running }],
  read_action: ({ account }) => [{ app, action: 'list_listings', input: {}, account }],
  read_actions: ({ account }) => [{ reads: [{ app, action: 'list_listings', account }] }],
  write_action: ({ account }) => [
    { app, action: 'reply_to_contact', input: { contact_id: 'c1', message: 'Hello' }, account },
  ],
}

/** Every route below /operator/ on the admin port: only the operator token opens them. */
export const operatorRequests = ({ waiting, unknown, account, invitation }: Things): readonly Request[] => [
  get('/operator/apps'),
  { method: 'POST', path: '/operator/apps/crm', body: { paused: true } },
  { method: 'POST', path: `/operator/apps/${app}/endpoints/list_listings`, body: { paused: true } },
  get('/operator/pauses'),
  { method: 'POST', path: `/operator/pauses/${account}/list_contacts/lift` },
  get('/operator/calls'),
  get(`/operator/calls/${waiting}`),
  { method: 'POST', path: `/operator/calls/${unknown}/resolve`, body: { happened: true } },
  { method: 'POST', path: `/operator/calls/${waiting}/cancel`, body: { reason: 'For nothing' } },
  { method: 'POST', path: `/operator/calls/${waiting}/refund`, body: { reason: 'For nothing' } },
  { method: 'POST', path: '/operator/users', body: { email: 'new@example.com' } },
  { method: 'POST', path: '/operator/users/export', body: { email: 'olivia@example.com' } },
  { method: 'POST', path: '/operator/users/erase', body: { email: 'olivia@example.com' } },
  { method: 'POST', path: '/operator/users/password-link', body: { email: 'olivia@example.com' } },
  { method: 'POST', path: '/operator/users/second-step-off', body: { email: 'olivia@example.com' } },
  { method: 'POST', path: `/operator/invitations/${invitation}/revoke` },
  get('/operator/connectors'),
  get('/operator/connectors/corner-shop'),
  {
    method: 'POST',
    path: '/operator/connectors/corner-shop/update',
    body: { package: 'corner-shop@2', hosts: ['*'], code: ';' },
  },
  { method: 'POST', path: '/operator/connectors/corner-shop/remove' },
  { method: 'POST', path: '/operator/connectors/corner-shop/trust', body: { endpoint: 'add_order', trusted: true } },
  { method: 'POST', path: '/operator/connectors/corner-shop/scale', body: { hash: 'none', level: 'gold' } },
  { method: 'POST', path: '/operator/connectors/corner-shop/tries', body: { endpoint: 'list_orders' } },
  get('/operator/connectors/corner-shop/tries/none'),
  get(`/operator/connectors/${app}/traces`),
  { method: 'POST', path: `/operator/connectors/${app}/traces/none/forget` },
  get(`/operator/apps/${app}/watch`),
  { method: 'POST', path: `/operator/apps/${app}/changes/close`, body: { endpoint: 'x', kind: 'rule', place: 'x' } },
  { method: 'POST', path: '/operator/watches/none/end' },
  get('/operator/log'),
  get('/operator/security'),
  get('/operator/keys'),
  { method: 'POST', path: '/operator/backups' },
  { method: 'POST', path: '/operator/data-keys', body: { before: '2026-01-01T00:00:00Z' } },
  get('/operator/operators'),
  { method: 'POST', path: '/operator/operators/eve/revoke' },
]

/** Every page of the admin port: which of them an operator must have signed in for. */
export const operatorPageRules: Readonly<
  Record<string, { readonly open: boolean; readonly at?: (things: Things) => string }>
> = {
  '/': { open: false },
  '/apps/:app': { open: false, at: () => `/apps/${app}` },
  '/calls': { open: false },
  '/calls/:call': { open: false, at: ({ waiting }) => `/calls/${waiting}` },
  '/log': { open: false },
  '/security': { open: false },
  '/operators': { open: false },
  '/logout': { open: false },
  '/login': { open: true },
  '/assets/:asset': { open: true, at: () => '/assets/style.css' },
  // Leads to `/`.
  '/operator': { open: true },
}
