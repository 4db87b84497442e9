/** Points where a test can kill this process like a power cut. What each proves: test/fire/. */
const names = [
  'accept.before-commit',
  'accept.after-commit',
  'start.before-answer',
  'decide.before-commit',
  'decide.after-commit',
  'decide.before-answer',
  'expire.before-commit',
  'prepare.before-commit',
  'second-look.done',
  'send.before-fence',
  'send.after-fence',
  'send.unanswered',
  'send.before-settling',
  'settle.unanswered',
  'send.before-report',
  'connector.before-commit',
  'watch.before-save',
  'renewal.before-saving',
  'rotate.halfway',
  'notice.before-start',
  'notice.unrecorded',
  'erase.before-commit',
  'erase.before-list',
  'erase.halfway',
  'erase.before-end',
  'oauth.before-commit',
  'oauth.before-answer',
] as const

export type FailPoint = (typeof names)[number]

/** Delay before the process dies while it waits for a response, in ms. */
const unansweredMs = 1_500

let armed: FailPoint | null = null

/** Called once at boot with the name that config.ts accepted. Throws if there is no such point. */
export function armFailPoint(wanted: string | null): void {
  const name = names.find((known) => known === wanted)
  if (wanted !== null && name === undefined)
    throw new Error(`there is no fail point "${wanted}"; there are: ${names.join(', ')}`)
  armed = name ?? null
}

/** Kills this process if a test armed this point. The signal arrives before the next statement. */
export function failPoint(name: FailPoint): void {
  if (name === armed) process.kill(process.pid, 'SIGKILL')
}

/** Like failPoint(), but while the next request waits for its response, which the test delays. */
export function failPointUnanswered(name: FailPoint): void {
  if (name === armed) setTimeout(() => failPoint(name), unansweredMs)
}
