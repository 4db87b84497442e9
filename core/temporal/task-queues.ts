/** Workflows, and the activities that are not sends. */
export const callQueue = 'callgate'

/** The paced queue of an app: its sends. */
export function appQueue(slug: string): string {
  return `app.${slug}`
}
