import { loadConnectors } from './runtime/load.ts'

/** One line per app: slug (also the folder) and connector. A broken one does not affect others. */
export const connectors = await loadConnectors({
  'camping-host': async () => (await import('./camping-host/index.ts')).campingHost,
  'course-school': async () => (await import('./course-school/index.ts')).courseSchool,
  crm: async () => (await import('./crm/index.ts')).crm,
  'digital-products': async () => (await import('./digital-products/index.ts')).digitalProducts,
  'event-management': async () => (await import('./event-management/index.ts')).eventManagement,
  'field-jobs': async () => (await import('./field-jobs/index.ts')).fieldJobs,
  'field-service': async () => (await import('./field-service/index.ts')).fieldService,
  'fitness-studio': async () => (await import('./fitness-studio/index.ts')).fitnessStudio,
  invitations: async () => (await import('./invitations/index.ts')).invitations,
  'pet-salon': async () => (await import('./pet-salon/index.ts')).petSalon,
  'photo-gallery': async () => (await import('./photo-gallery/index.ts')).photoGallery,
  'property-advertising': async () => (await import('./property-advertising/index.ts')).propertyAdvertising,
  'question-answer': async () => (await import('./question-answer/index.ts')).questionAnswer,
  'real-estate-analytics': async () => (await import('./real-estate-analytics/index.ts')).realEstateAnalytics,
  salon: async () => (await import('./salon/index.ts')).salon,
  'salon-booking': async () => (await import('./salon-booking/index.ts')).salonBooking,
  'teacher-marketplace': async () => (await import('./teacher-marketplace/index.ts')).teacherMarketplace,
  'tour-activity': async () => (await import('./tour-activity/index.ts')).tourActivity,
  'tour-supplier': async () => (await import('./tour-supplier/index.ts')).tourSupplier,
  'travel-booking': async () => (await import('./travel-booking/index.ts')).travelBooking,
  'travel-log': async () => (await import('./travel-log/index.ts')).travelLog,
  'video-streaming': async () => (await import('./video-streaming/index.ts')).videoStreaming,
})
