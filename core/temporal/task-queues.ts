/** Workflows, and activities other than sends. */
export const callQueue = 'callgate'

/** The rate-limited queue of an app, for its sends. */
export function appQueue(slug: string): string {
  return `app.${slug}`
}
