-- Devices with different ids send one request each: campaign.lua <target> <milliseconds>
-- Each connection waits at random between its requests, on average for that many milliseconds.
dofile(debug.getinfo(1, "S").source:match("@(.*)/") .. "/result.lua")

function init(args)
    local target, pause = args[1], tonumber(args[2])
    local asked = 0
    math.randomseed(26)
    request = function()
        asked = asked + 1
        local id = "device-" .. asked
        local headers = { ["X-Nephos-App"] = "2." .. asked % 7 .. ";iOS;17.5;es-MX;" .. id }
        return wrk.format("GET", target .. "&seed=" .. id, headers)
    end
    delay = function() return math.random(0, 2 * pause) end
end

function request() end
function delay() return 0 end
