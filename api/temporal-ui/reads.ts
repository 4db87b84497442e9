/** Asks a run what it knows, with the arguments in a body. The Temporal UI shows a call's state with it. */
const query = /^\/api\/v1\/namespaces\/[^/]+\/workflows\/[^/]+\/query\/[^/]+$/

/**
 * Whether a request of the Temporal UI changes nothing: GET and HEAD, and of all others the query of a run, as the UI's own read-only mode
 * has it. Judged by the path as it was sent: nobody behind decodes a slash in it.
 */
export function onlyReads(method: string, url: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  return method === 'POST' && query.test(url.split('?', 1)[0] ?? '')
}
