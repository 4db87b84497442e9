type Headers = Readonly<Record<string, string>>

/** Headers with credentials or CSRF tokens, but not paging ones such as `x-continuation-token`. */
const secret =
  /cookie|csrf|xsrf|session|secret|password|credential|signature|nonce|jwt|bearer|api-?key|(?:^|-)auth(?:$|-|ori[sz]|enticat)|(?:access|refresh|id|user|client|device|security|request)-?token|^(?:x-)?token$/

/** The headers that `decode` sees: connector authors are not trusted with credentials. */
export function harmlessHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.test(name)))
}
