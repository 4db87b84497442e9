import { is } from '../expect.ts'
import type { World } from '../real-app.ts'

export async function story({ app, agent, person, signIn, log }: World): Promise<void> {
  const account = await signIn()
  log(`connected ${account}`)
  const list = await agent.read('list_questions')
  log(JSON.stringify(list).slice(0, 600))
  const asked = await agent.call('post_answer', { question_id: '80', text: 'Freeze a part of it, and dry another.' })
  is('an answer', asked.to, 'awaiting_confirmation')
  log(await person.sees(String(asked.body['call_id'])))
  await person.approve(String(asked.body['call_id']))
  log(JSON.stringify(await agent.record(String(asked.body['call_id']))))
  log(JSON.stringify(app.rows(`SELECT id, text FROM askbot_post WHERE text LIKE 'Freeze%'`)))
}
