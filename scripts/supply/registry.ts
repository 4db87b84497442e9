const accepted = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ')
const patience = 20_000

/**
 * The current multi-platform digest of an image's tag. `registry`: its base URL. Throws if the
 * registry does not answer or lacks the tag.
 * Source: the OCI distribution specification, and Docker's token authentication.
 */
export async function digestOf(registry: string, name: string, tag: string): Promise<string> {
  // Docker's official images are below `library`, which their names omit.
  const repository = name.includes('/') ? name : `library/${name}`
  const url = `${registry}/v2/${repository}/manifests/${tag}`
  const ask = (headers: Record<string, string>) =>
    fetch(url, { method: 'HEAD', headers: { Accept: accepted, ...headers }, signal: AbortSignal.timeout(patience) })
  let answer = await ask({})
  const challenge = answer.headers.get('www-authenticate')
  if (answer.status === 401 && challenge !== null)
    answer = await ask({ Authorization: `Bearer ${await tokenFor(challenge)}` })
  const digest = answer.headers.get('docker-content-digest') ?? ''
  if (!answer.ok || !/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`${url} answered ${answer.status}${answer.ok ? ' without a digest' : ''}`)
  return digest
}

async function tokenFor(challenge: string): Promise<string> {
  const field = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1] ?? ''
  const realm = field('realm')
  const query = new URLSearchParams({ service: field('service'), scope: field('scope') })
  const answer = await fetch(`${realm}?${query.toString()}`, {
    signal: AbortSignal.timeout(patience),
  })
  const body = (await answer.json()) as { readonly token?: unknown }
  if (!answer.ok || typeof body.token !== 'string') throw new Error(`${realm} gave no token (${answer.status})`)
  return body.token
}
