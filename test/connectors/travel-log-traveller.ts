import { isFields, rows } from '../../connectors/kit/wire.ts'
import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'

/** The demo user's travel log, and who was e-mailed about it. */
export class Traveller {
  readonly caller: AppCaller

  private constructor(caller: AppCaller) {
    this.caller = caller
  }

  static async open(): Promise<Traveller> {
    return new Traveller(await AppCaller.open('travel-log'))
  }

  /** The latest message about these trips' steps: to whom, and what it is about. */
  async told(trip_id: unknown): Promise<Row[]> {
    const { url } = this.caller.sandbox
    const demo = (await this.caller.sandbox.accounts('travel-log')).find(({ user }) => user === 'demo')
    const cookie = demo!.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const response = await fetch(`${url}/travel-log/v3/notices?count=100`, { headers: { cookie } })
    const answer: unknown = await response.json()
    return rows(isFields(answer) ? answer['notices'] : []).filter(
      ({ journey }) => `trip_${String(journey)}` === trip_id,
    )
  }

  async trip(privacy = 'only_me'): Promise<string> {
    const made = await this.caller.call('create_trip', { name: 'New', start_date: '2026-03-01', privacy })
    return String(made['trip_id'])
  }

  steps(trip_id: unknown, more: Row = {}): Promise<Row[]> {
    return this.caller.rows('list_steps', 'steps', { trip_id, ...more })
  }

  trips(input: Row, user?: string): Promise<Row[]> {
    return this.caller.rows('list_trips', 'trips', input, user)
  }

  async actions(): Promise<string[]> {
    return (await this.caller.control.effects()).map(({ action }) => action)
  }
}
