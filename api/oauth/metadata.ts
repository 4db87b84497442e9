import { appOf, mcpPath, scopes } from '../../core/oauth/resource.ts'
import { oauthPaths, wellKnownPath } from '../../core/http/api.ts'
import type { Api } from '../../core/http/api.ts'

/** The page where a user decides what a client may do. */
export const authorizePath = '/oauth/authorize'

const resourcePath = `${wellKnownPath}/oauth-protected-resource`

/** RFC 9728: `resource` is /mcp or /mcp/{app}. */
export function resourceMetadata({ ctx }: Api, resource: string): Readonly<Record<string, unknown>> {
  const { publicUrl } = ctx.config
  const app = ctx.apps.get(appOf(resource) ?? '')
  return {
    resource: publicUrl + resource,
    authorization_servers: [publicUrl],
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
    resource_name: app === undefined ? 'Callgate' : `Callgate: ${app.name}`,
    resource_documentation: `${publicUrl}/docs`,
  }
}

/** RFC 8414. */
export function serverMetadata({ ctx }: Api): Readonly<Record<string, unknown>> {
  const { publicUrl } = ctx.config
  const methods = ['none', 'client_secret_basic', 'client_secret_post']
  return {
    issuer: publicUrl,
    authorization_endpoint: publicUrl + authorizePath,
    token_endpoint: publicUrl + oauthPaths.token,
    registration_endpoint: publicUrl + oauthPaths.register,
    revocation_endpoint: publicUrl + oauthPaths.revoke,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${publicUrl}/docs`,
  }
}

/** Challenge that points to the sign-in (RFC 9728, 5.1). `wrong`: why the credential is invalid. */
export function challenge({ ctx }: Api, resource: string, wrong: string | undefined): string {
  const known = ctx.apps.get(appOf(resource) ?? '') === undefined ? mcpPath : resource
  const error =
    wrong === undefined ? '' : `, error="invalid_token", error_description="${wrong.replaceAll(/[^ !#-[\]-~]/g, '')}"`
  return `Bearer resource_metadata="${ctx.config.publicUrl}${resourcePath}${known}", scope="${scopes.join(' ')}"${error}`
}
