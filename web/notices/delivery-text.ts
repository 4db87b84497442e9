/**
 * Texts of delivery results. Source: core/notices/post.ts, deliver.ts and start.ts; all others are
 * HTTP statuses.
 */
const words: Readonly<Record<string, string>> = {
  timeout: 'no answer within 15 seconds',
  private_address: 'its host is not at a public address',
  unknown_host: 'its host was not found',
  refused: 'nothing listens there',
  tls: 'its certificate is not valid',
  lost: 'the connection broke',
  sent: 'accepted by the mail server',
  not_taken: 'not accepted by the mail server',
  ended: 'it was removed',
  gone: 'it was ended',
  crowded: 'it waited for three days behind others',
}

export function resultWords(result: string): string {
  return words[result] ?? `it answered ${result}`
}
