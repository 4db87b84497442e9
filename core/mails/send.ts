import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { createMailer } from '../notices/mail.ts'
import type { Mailer } from '../notices/mail.ts'
import { answerReset } from '../users/password-resets.ts'
import { letterOf } from './letters.ts'
import { forgetMail, openToken, postponeMail, takeDueMail } from './queue.ts'
import type { DueMail } from './queue.ts'

/** Backoff in seconds after the first, second … failed attempt; the last one repeats. */
const pauses = [5, 60, 300, 900]
/** Maximum of mails per round. */
const batch = 50

/**
 * Sends due mails. True: there are more. Safe to interrupt: a mail that was taken but not deleted
 * is sent again, with the same link. A failure ends the round.
 */
export async function sendMails(ctx: Context): Promise<boolean> {
  const { mail: settings, publicUrl } = ctx.config
  if (settings === null) return false
  let mailer: Mailer | undefined
  try {
    for (let n = 0; n < batch; n++) {
      const taken = await takeDueMail(ctx.db)
      if (taken === undefined) return false
      const due = taken.kind === 'password.asked' ? await answerReset(ctx, taken) : taken
      if (due === undefined) continue
      mailer ??= createMailer(settings, publicUrl)
      if (!(await sendOne(ctx, mailer, due))) return false
    }
    return true
  } finally {
    mailer?.close()
  }
}

/** False: the server did not take it; it is retried later. */
async function sendOne(ctx: Context, mailer: Mailer, due: DueMail): Promise<boolean> {
  const { id, kind, address, secret, detail, tries } = due
  const token = secret === null ? '' : openToken(ctx, id, secret)
  const letter = letterOf(kind, { publicUrl: ctx.config.publicUrl, token, detail })
  try {
    if (letter === undefined) throw new Error('unknown kind')
    await mailer.write({ to: address, id, ...letter })
  } catch (error) {
    ctx.log.warn({ mail: id, kind, tries, reason: errorName(error) }, 'a mail about an account did not leave')
    await postponeMail(ctx.db, id, pauses[Math.min(tries, pauses.length) - 1] ?? 900)
    return false
  }
  await forgetMail(ctx.db, id)
  return true
}
