import { auth } from '@ai-sdk/mcp'
import type { OAuthClientProvider as StrangersProvider } from '@ai-sdk/mcp'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'

/** What a client keeps of its sign-in. */
export interface Kept {
  asked?: URL
  information?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  verifier?: string
  state?: string
}

const metadata = (callback: string, name: string) => ({
  redirect_uris: [callback],
  client_name: name,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
})

/** Of the official client: it comes back to `callback`, and is described by the document at `documentAt`, if it has one. */
export function officialProvider(kept: Kept, callback: string, documentAt?: string): OAuthClientProvider {
  return {
    redirectUrl: callback,
    ...(documentAt !== undefined && { clientMetadataUrl: documentAt }),
    clientMetadata: metadata(callback, 'The official client'),
    state: () => 'official',
    clientInformation: () => kept.information,
    saveClientInformation: (information) => void (kept.information = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.asked = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  }
}

/** Of @ai-sdk/mcp, once its person came back from where it sent them. */
export async function signedInStranger(
  kept: Kept,
  callback: string,
  serverUrl: string,
  visit: (asked: URL) => Promise<URL>,
): Promise<StrangersProvider> {
  const provider: StrangersProvider = {
    redirectUrl: callback,
    clientMetadata: metadata(callback, 'A framework that we did not write'),
    state: () => 'strange',
    saveState: (saved) => void (kept.state = saved),
    storedState: () => kept.state,
    clientInformation: () => kept.information,
    isClientInformationDynamicallyRegistered: () => true,
    saveClientInformation: (information) => void (kept.information = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.asked = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  }
  const first = await auth(provider, { serverUrl })
  if (first !== 'REDIRECT' || kept.asked === undefined) throw new Error(`the client did not ask its person: ${first}`)
  const back = await visit(kept.asked)
  const done = await auth(provider, {
    serverUrl,
    authorizationCode: back.searchParams.get('code') ?? '',
    callbackState: back.searchParams.get('state') ?? '',
    callbackIssuer: back.searchParams.get('iss') ?? '',
  })
  if (done !== 'AUTHORIZED') throw new Error(`the client is not let in: ${done}`)
  return provider
}
