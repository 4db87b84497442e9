import type { World } from '../real-app.ts'

export async function story(_world: World): Promise<void> {}
