// How people get on, as the closing figures count it (analysis/metrics.hpp): one meaning of "stuck" for tables, reports and the viewer.
#include "server/insights.hpp"

namespace throng::server {
namespace {

bool always(const scenario::Simulation&) { return true; }

constexpr PersonFigure figures[] = {
    {"stuck", "stuck", "1: less than 0.5 m of the route walked in 10 s", 1, always, nullptr,
     [](const analysis::AgentRecord& agent) { return agent.stuck ? 1.0 : 0.0; }},
    {"slow-time", "time below 0.5 m/s so far", "s", 60, always, nullptr,
     [](const analysis::AgentRecord& agent) { return agent.slow_time; }},
};

}  // namespace

Insights progress_insights() { return {.figures = figures}; }

}  // namespace throng::server
