/** A query of a run, with arguments in the body. The Temporal UI shows a call's state with it. */
const query = /^\/api\/v1\/namespaces\/[^/]+\/workflows\/[^/]+\/query\/[^/]+$/

/**
 * Whether a request of the Temporal UI changes nothing: GET, HEAD and the query of a run, as in the
 * UI's own read-only mode. Judged by the path as sent: no later hop decodes a slash in it.
 */
export function onlyReads(method: string, url: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  return method === 'POST' && query.test(url.split('?', 1)[0] ?? '')
}
