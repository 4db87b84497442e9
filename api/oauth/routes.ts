import Router from '@koa/router'
import type { OAuthError } from '@node-oauth/oauth2-server'
import { failPoint } from '../../core/fail-point.ts'
import { provenClient, registerClient } from '../../core/oauth/clients.ts'
import { readMetadata } from '../../core/oauth/metadata.ts'
import { revokeToken } from '../../core/oauth/refresh.ts'
import { isRefusal, OAuthRefusal } from '../../core/oauth/refusal.ts'
import { mcpPath, resourceOf } from '../../core/oauth/resource.ts'
import { giveTokens } from '../../core/oauth/token-request.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { oauthPaths, wellKnownPath } from '../../core/http/api.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { readJsonBody } from '../http/body.ts'
import { findApp } from '../http/find.ts'
import { shareWith } from '../http/cors.ts'
import { allowMethods } from '../http/method.ts'
import { limitOAuth } from '../../core/http/rate-limit.ts'
import { credentialsOf } from './client-auth.ts'
import { readFields, required } from '../../core/oauth/form.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'

const largestRegistration = 64 * 1024

/** OAuth 2.1 for clients of /mcp, as MCP requires it. The user's consent page is in web/oauth. */
export function oauthRoutes(api: Api): Router {
  const router = new Router({ sensitive: true })
  const document = (path: string, read: (app: string) => Readonly<Record<string, unknown>>): void => {
    router.all(`${wellKnownPath}/${path}`, (http) => {
      if (shareWith(http, { ...anySite, methods: ['GET'] })) return
      allowMethods(http, 'GET', 'HEAD')
      http.body = read(http.params['app'] ?? '')
    })
  }
  document('oauth-protected-resource', () => resourceMetadata(api, mcpPath))
  document(`oauth-protected-resource${mcpPath}`, () => resourceMetadata(api, mcpPath))
  document(`oauth-protected-resource${mcpPath}/:app`, (app) =>
    resourceMetadata(api, `${mcpPath}/${findApp(api.ctx.apps, app).slug}`),
  )
  // Clients of early revisions also look below the server's path.
  for (const suffix of ['', mcpPath, `${mcpPath}/:app`])
    document(`oauth-authorization-server${suffix}`, () => serverMetadata(api))

  const endpoint = (path: string, what: 'tokens' | 'registrations', answer: (http: Http) => Promise<void>): void => {
    router.all(path, async (http) => {
      if (shareWith(http, { ...anySite, methods: ['POST'] })) return
      allowMethods(http, 'POST')
      await limitOAuth(api, http, what)
      http.set('Pragma', 'no-cache')
      try {
        await answer(http)
      } catch (error) {
        if (!isRefusal(error)) throw error
        noteRefusal(api, http, error)
        refuse(http, error)
      }
    })
  }
  endpoint(oauthPaths.register, 'registrations', (http) => register(api, http))
  endpoint(oauthPaths.token, 'tokens', (http) => token(api, http))
  endpoint(oauthPaths.revoke, 'tokens', async (http) => {
    const fields = await readFields(http)
    const { id, secret } = credentialsOf(http, fields)
    const client = await provenClient(api.ctx, id, secret)
    await revokeToken(api.ctx, client.id, required(fields, 'token'))
    http.body = {}
  })
  return router
}

/** Requests carry their own proof (code and verifier, refresh token, client secret); no cookies. */
const anySite = {
  origin: '*',
  headers: ['Authorization', 'Content-Type', 'MCP-Protocol-Version'],
  exposed: ['WWW-Authenticate', 'Retry-After'],
}

function noteRefusal({ ctx }: Api, { ip }: Http, error: OAuthError): void {
  if (error instanceof OAuthRefusal && error.ended !== null) ctx.security.note('grant_ended', ip, error.ended)
  else if (error.name === 'invalid_grant' || error.name === 'invalid_client') ctx.security.note('key_refused', ip)
}

function refuse(http: Http, { name, message }: OAuthError): void {
  http.status = name === 'invalid_client' ? 401 : 400
  if (http.status === 401) http.set('WWW-Authenticate', 'Basic realm="callgate"')
  http.body = { error: name, error_description: message }
}

async function register(api: Api, http: Http): Promise<void> {
  const fields = await readJsonBody(http, largestRegistration).catch((error: unknown) => {
    if (error instanceof CallgateError) throw new OAuthRefusal('invalid_client_metadata', error.message)
    throw error
  })
  const made = await registerClient(api.ctx, readMetadata(fields, 'client_secret_basic'))
  http.status = 201
  http.body = {
    client_id: made.id,
    client_id_issued_at: Math.floor(made.createdAt.getTime() / 1000),
    ...(made.secret !== undefined && { client_secret: made.secret, client_secret_expires_at: 0 }),
    client_name: made.name,
    redirect_uris: made.redirectUris,
    token_endpoint_auth_method: made.authMethod,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

async function token({ ctx }: Api, http: Http): Promise<void> {
  const fields = await readFields(http)
  const client = credentialsOf(http, fields)
  const asked = fields.get('resource')
  const gateway = { publicUrl: ctx.config.publicUrl, apps: ctx.apps }
  const resource = asked === undefined ? undefined : resourceOf(asked, gateway)
  const body = await giveTokens(ctx, { client, fields, resource, ip: http.ip })
  failPoint('oauth.before-answer')
  http.body = body
}
