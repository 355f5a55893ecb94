// Whether this build watches itself: sanitizers bring their own operator new, want more address space than any limit leaves, and are slow.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define THRONG_UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define THRONG_UNDER_SANITIZER 1
#endif
#endif
#ifndef THRONG_UNDER_SANITIZER
#define THRONG_UNDER_SANITIZER 0
#endif
